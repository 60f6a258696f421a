//! The files of a new game: those under `templates/`, in which `NAME` is replaced by the game's name. Infix rules are
//! made from the prefix ones.

use percept_syntax::convert::convert;
use percept_syntax::format::Options;
use percept_syntax::{Language, Source};

use crate::args::{Like, NewLanguage};
use crate::failure::Failure;

/// The files of a new game.
pub(super) struct Template {
    /// The description, or the problem.
    pub game: String,
    /// Paths below the game's folder, and texts.
    pub files: Vec<(String, String)>,
}

/// The texts of a kind of game.
struct Texts {
    about: &'static str,
    kif: &'static str,
    trace: &'static str,
    domain: &'static str,
    problem: &'static str,
    pogddl_trace: &'static str,
    /// The players, in GDL and in POGDDL.
    players: [&'static [&'static str]; 2],
}

macro_rules! texts {
    ($name:literal, $about:literal, $players:expr) => {
        Texts {
            about: $about,
            kif: include_str!(concat!("templates/", $name, ".kif")),
            trace: include_str!(concat!("templates/", $name, ".trace")),
            domain: include_str!(concat!("templates/", $name, "-domain.pog")),
            problem: include_str!(concat!("templates/", $name, "-problem.pog")),
            pogddl_trace: include_str!(concat!("templates/", $name, "-pogddl.trace")),
            players: $players,
        }
    };
}

const BOARD: Texts = texts!(
    "board",
    "Two players put stones on a board in turn, out of each other's sight. A player that steps on a stone of the other loses.",
    [&["white", "black"], &["p1", "p2"]]
);
const CARDS: Texts =
    texts!("cards", "Two players hold a card that only they see, and raise or pass.", [&["p1", "p2"], &["p1", "p2"]]);
const HIDDEN_MOVE: Texts = texts!(
    "hidden-move",
    "One player hides, the other may look twice. Both learn what each look finds.",
    [&["hider", "seeker"], &["hider", "seeker"]]
);
const ONE_PLAYER: Texts = texts!(
    "one-player",
    "There is gold behind one of three doors; the player may listen at one of them, and then opens one.",
    [&["player"], &["player"]]
);

/// The files of a new game with this name.
///
/// # Errors
/// If the rules cannot be written in the requested language.
pub(super) fn template(name: &str, language: NewLanguage, like: Like) -> Result<Template, Failure> {
    let texts = match like {
        Like::Board => BOARD,
        Like::Cards => CARDS,
        Like::HiddenMove => HIDDEN_MOVE,
        Like::OnePlayer => ONE_PLAYER,
    };
    let named = |text: &str| text.replace("NAME", name);
    let (game, rules, trace, players) = match language {
        NewLanguage::Kif => {
            let game = format!("{name}.kif");
            (game.clone(), vec![(game, named(texts.kif))], named(texts.trace), texts.players[0])
        }
        NewLanguage::Hrf => {
            let game = format!("{name}.hrf");
            let trace = named(texts.trace).replace(".kif", ".hrf");
            (game.clone(), vec![(game, infix(&named(texts.kif))?)], trace, texts.players[0])
        }
        NewLanguage::Pogddl => {
            let game = format!("{name}-3.pog");
            let rules = vec![(format!("{name}.pog"), named(texts.domain)), (game.clone(), named(texts.problem))];
            (game, rules, named(texts.pogddl_trace), texts.players[1])
        }
    };
    let mut files = rules;
    files.push(("traces/first.trace".to_string(), trace));
    files.push(("expected.toml".to_string(), expected(&game, players)));
    files.push(("percept.toml".to_string(), SETTINGS.to_string()));
    files.push(("README.md".to_string(), readme(name, &game, texts.about)));
    Ok(Template { game, files })
}

/// Infix rules for prefix ones.
fn infix(kif: &str) -> Result<String, Failure> {
    let source = Source::parse(kif.to_string(), Language::GdlPrefix);
    let converted = convert(&source, Language::GdlInfix, &Options::default());
    converted.map(|it| it.text).map_err(|refusal| Failure::new(format!("infix: {}", refusal.message)))
}

/// The expectations of the new game: every player always knows all it must.
fn expected(game: &str, players: &[&str]) -> String {
    let mut text =
        format!("# Expectations for `percept test`; docs/testing.md describes the format.\ngame = \"{game}\"\n");
    for player in players {
        text.push_str(&format!(
            "\n[[prove]]\nrole = \"{player}\"\nlegal = \"proved\"\nterminal = \"proved\"\ngoal = \"proved\"\n"
        ));
    }
    text.push_str(&format!(
        "\n# In the first match nothing stays open.\n[[observe]]\ntrace = \"traces/first.trace\"\nrole = \"{}\"\nunknown = {{}}\n",
        players[players.len() - 1]
    ));
    text
}

const SETTINGS: &str = "# Rules of `percept check` that are off in this folder, such as \"single-use-variable\"; `percept explain` lists them.
allow = []
";

fn readme(name: &str, game: &str, about: &str) -> String {
    format!(
        "# {name}

{about} Change it into a game of your own.

| to | run |
| --- | --- |
| find mistakes | `percept check .` |
| play it step by step | `percept step {game}` |
| see what a player knows in the match | `percept observe {game} traces/first.trace` |
| know what players know in every match | `percept prove {game}` |
| see whether all is as `expected.toml` says | `percept test` |
"
    )
}
