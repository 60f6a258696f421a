//! `percept table`: people play a game in their browsers, by links.

mod browser;
mod shelf;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use percept_table::lines::{By, GameLine, Header, KeptError, Past, TableLine};
use percept_table::{Doors, Event, Hall, Kept, Listen, Playable, Terms, Token, serve};
use serde_json::json;
use tokio::net::TcpListener;

use super::matches;
use crate::args::{Format, GameArgs, Table as Arguments};
use crate::failure::{Failure, OK, Outcome};
use crate::load::{Loaded, Loader, title};
use crate::work::Work;
use crate::{limits, output};
pub(crate) use shelf::{of_texts, set_up};

/// The time between two looks at Ctrl-C.
const GLANCE: Duration = Duration::from_millis(50);

/// The games of a server.
enum Games {
    /// One table of a game, with the player of each role without chance.
    One(Arc<Playable>, Vec<By>),
    /// A lobby.
    Many(shelf::Folder),
}

pub(crate) fn run(args: &Arguments) -> Outcome {
    let games = games(args)?;
    let doors = Doors::new(args.listen, &args.allow_hosts).map_err(|error| Failure::new(error.to_string()))?;
    let header = header(args, &games)?;
    let past = match &args.out {
        Some(path) => {
            percept_syntax::is_within(path).map_err(|error| Failure::io("write", path, &error))?;
            let past = Past::read(path, &header).map_err(|error| kept_failure(&error))?;
            if past.as_ref().is_some_and(|past| !is_same(past, &games)) {
                return Err(kept_failure(&KeptError::Other { path: percept_table::lines::beside(path) }));
            }
            past
        }
        None => None,
    };
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = threads.map_err(|error| Failure::new(format!("cannot start a server: {error}")))?;
    runtime.block_on(async {
        let listener = listen(args, past.as_ref()).await?;
        let address = listener.local_addr().map_err(|error| Failure::new(error.to_string()))?;
        let header = past.as_ref().map_or(header, |past| past.header.clone());
        let header = Header { port: address.port(), ..header };
        let (hall, first) = hall(args, games, &header, past, address)?;
        // The browser waits in the queue of the listener until the server answers.
        let _page = args.open.then(|| browser::open(&first)).flatten();
        play(hall, listener, doors).await
    })
}

/// Plays until Ctrl-C.
async fn play(hall: Arc<Hall>, listener: TcpListener, doors: Doors) -> Outcome {
    limits::heed_interrupts();
    let is_stopped = async {
        while limits::stopped().is_none() {
            tokio::time::sleep(GLANCE).await;
        }
    };
    let outcome = tokio::select! {
        error = hall.failure() => Err(kept_failure(&error)),
        () = serve(listener, hall.clone(), doors) => Ok(OK),
        () = is_stopped => Ok(OK),
    };
    let _ = tokio::task::spawn_blocking(move || hall.close()).await;
    if outcome.is_err() {
        // The pages get the reason before their lines end.
        tokio::time::sleep(GLANCE).await;
    }
    outcome
}

fn games(args: &Arguments) -> Result<Games, Failure> {
    if args.game.is_dir() {
        if let Some(option) =
            [(!args.seats.is_empty(), "--seat"), (args.domain.is_some(), "--domain")].iter().find(|it| it.0)
        {
            return Err(Failure::new(format!("{} is for a table of one game: in a lobby, people choose", option.1)));
        }
        let folder = shelf::Folder::of(&args.game);
        return match percept_table::Shelf::names(&folder) {
            [] => Err(Failure::new(format!("there is no game in {}", args.game.display()))),
            _ => Ok(Games::Many(folder)),
        };
    }
    let work = Work::begin(None);
    let (game, domain, pogddl_terminal) = (args.game.clone(), args.domain.clone(), args.pogddl_terminal);
    let loaded = Loader::new(&GameArgs { game, domain, pogddl_terminal }, &work).load()?;
    loaded.sound()?;
    let by = seats(&loaded, &args.seats)?;
    let game = shelf::playable(&title(&args.game), &loaded.files, args.pogddl_terminal, &work.budget());
    Ok(Games::One(Arc::new(game.map_err(Failure::new)?), by))
}

/// True if a file of tables can go on with these games.
fn is_same(past: &Past, games: &Games) -> bool {
    match games {
        // A lobby goes on with the texts of its file.
        Games::Many(_) => true,
        Games::One(game, by) => past.tables.iter().all(|table| {
            let own = table.line.seats.iter().map(|seat| seat.by.as_ref());
            table.line.game == game.title && table.line.rules == game.rules() && own.eq(by.iter().map(Some))
        }),
    }
}

/// The tables, and the link that a browser on this machine may open.
fn hall(
    args: &Arguments,
    games: Games,
    header: &Header,
    past: Option<Past>,
    address: SocketAddr,
) -> Result<(Arc<Hall>, String), Failure> {
    let kept = |names: &[String], players: &[String]| match &args.out {
        Some(path) => Kept::open(path, header, past.as_ref(), names, players).map_err(|error| kept_failure(&error)),
        None => Ok(Kept::nothing()),
    };
    let terms = Terms { playclock: args.playclock, clock: args.clock, seed: header.seed };
    let site = SocketAddr::new(reachable(address.ip()), address.port());
    let link = |token: &str| format!("http://{site}/#{token}");
    let hall = match games {
        Games::One(game, by) => {
            let line = match past.as_ref().and_then(|past| past.tables.first()) {
                Some(table) => table.line.clone(),
                None => TableLine::new(0, &game, |at| by.get(at).cloned()).map_err(no_random)?,
            };
            let kept = kept(std::slice::from_ref(&game.title), &line.names())?;
            let hall = Arc::new(Hall::new(terms, kept, None, listener(args.format)));
            show_links(args.format, &game, &line, link);
            let person = line.seats.iter().find(|seat| matches!(seat.by, Some(By::Person(_))));
            let first = link(person.map_or(&line.watchers, |seat| &seat.token));
            match past.filter(|past| !past.tables.is_empty()) {
                Some(past) => hall.resume(past, |_| Some(game.clone())),
                None => hall.add(line, &game),
            }
            .map_err(|error| kept_failure(&error))?;
            (hall, first)
        }
        Games::Many(folder) => {
            let unreadable = || Failure::new("the file of the tables has a link that cannot be read");
            let token = header.lobby.as_deref().and_then(Token::read).ok_or_else(unreadable)?;
            let names = percept_table::Shelf::names(&folder).to_vec();
            let kept = kept(&names, &[])?;
            let hall = Arc::new(Hall::new(terms, kept, Some((token, Box::new(folder))), listener(args.format)));
            show_lobby(args.format, names.len(), &link(&token.text()));
            let again =
                |it: &GameLine| of_texts(&it.name, &it.texts, it.terminal.as_deref(), &set_up()).ok().map(Arc::new);
            past.map_or(Ok(()), |past| hall.resume(past, again)).map_err(|error| kept_failure(&error))?;
            (hall, link(&token.text()))
        }
    };
    if !address.ip().is_loopback() {
        output::say("note: other machines can reach this table, and the lines to them are not encrypted");
    }
    Ok(hall)
}

/// Prints each event, for programs.
fn listener(format: Format) -> Listen {
    Arc::new(move |event| {
        let line = match event {
            _ if format != Format::Json => return,
            Event::Begun { table, number } => json!({ "kind": "begun", "table": table, "match": number }),
            Event::Round { table, rounds } => json!({ "kind": "round", "table": table, "rounds": rounds }),
            Event::Ended { table, number } => json!({ "kind": "ended", "table": table, "match": number }),
            Event::Changed => return,
        };
        output::json_line(&line.to_string());
    })
}

/// The player of each role without chance.
fn seats(loaded: &Loaded, texts: &[String]) -> Result<Vec<By>, Failure> {
    let mut named: BTreeMap<u16, By> = BTreeMap::new();
    for text in texts {
        let Some((role, player)) = text.split_once('=') else {
            return Err(Failure::new(format!("`{text}` does not name a role and its player"))
                .note("write --seat ROLE=human or --seat ROLE=STRATEGY, such as --seat black=auto"));
        };
        let role = loaded.player(role)?;
        let by = match player {
            "human" => By::Person(None),
            _ if player.starts_with("human:") => By::Person(Some(name(&player["human:".len()..])?)),
            _ if player.starts_with("remote:") => {
                return Err(Failure::new("a program at a table runs on this machine: remote players are for `match`"));
            }
            name => By::Program(matches::program(name).map(|it| it.name())?),
        };
        if named.insert(role.0, by).is_some() {
            return Err(Failure::new(format!("{} has two players", loaded.game.roles[usize::from(role.0)].name)));
        }
    }
    let roles = loaded.game.role_ids().filter(|role| !loaded.game.roles[usize::from(role.0)].is_chance);
    let seats: Vec<By> = roles.map(|role| named.remove(&role.0).unwrap_or(By::Person(None))).collect();
    let people: Vec<&String> =
        seats.iter().filter_map(|by| if let By::Person(Some(name)) = by { Some(name) } else { None }).collect();
    if (1..people.len()).any(|at| people[..at].contains(&people[at])) {
        return Err(Failure::new("two people have the same name"));
    }
    match seats.iter().any(|by| matches!(by, By::Person(_))) {
        true => Ok(seats),
        false => Err(Failure::new("no person plays: name a role with --seat ROLE=human, or use `percept match`")),
    }
}

fn name(text: &str) -> Result<String, Failure> {
    percept_table::named(text).ok_or_else(|| {
        let failure = Failure::new(format!("`{text}` is not a name for a person"));
        failure
            .note("a name has at most 24 letters, digits, spaces, and - _ ' or a point, and is not that of a program")
    })
}

fn header(args: &Arguments, games: &Games) -> Result<Header, Failure> {
    let seed = args.seed.map_or_else(|| getrandom::u64().map_err(no_random), Ok)?;
    let lobby = matches!(games, Games::Many(_)).then(|| Token::new().map(|it| it.text()).map_err(no_random));
    let clock = args.clock.map(|it| it.as_secs_f64());
    Ok(Header::new(args.playclock.as_secs_f64(), clock, seed, lobby.transpose()?))
}

fn no_random(error: getrandom::Error) -> Failure {
    Failure::new(format!("the system has no random numbers: {error}"))
}

/// Listens on the port of the options, or on that of the table that goes on if it is free.
async fn listen(args: &Arguments, past: Option<&Past>) -> Result<TcpListener, Failure> {
    if let Some(past) = past.filter(|_| args.port == 0) {
        if let Ok(listener) = TcpListener::bind((args.listen, past.header.port)).await {
            return Ok(listener);
        }
        output::say(&format!("note: port {} is taken, so the links change", past.header.port));
    }
    let address = SocketAddr::new(args.listen, args.port);
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| Failure::new(format!("cannot listen on {address}: {error}")))
}

fn show_links(format: Format, game: &Playable, line: &TableLine, link: impl Fn(&str) -> String) {
    let (roles, names) = (game.role_names(), line.names());
    let by = |at: usize| match &line.seats[at].by {
        Some(By::Program(_)) => names[at].clone(),
        _ => link(&line.seats[at].token),
    };
    let watchers = link(&line.watchers);
    if format == Format::Json {
        let seats: Vec<_> = (0..roles.len()).map(|at| json!({ "role": roles[at], "by": by(at) })).collect();
        let line = json!({ "kind": "table", "game": game.title, "seats": seats, "watchers": watchers });
        return output::json_line(&line.to_string());
    }
    let width = roles.iter().map(|name| name.chars().count()).chain([8]).max().unwrap_or(8);
    output::println(&format!("a table of {}", game.title));
    for (at, role) in roles.iter().enumerate() {
        output::println(&format!("  {role:width$}  {}", by(at)));
    }
    output::println(&format!("  {:width$}  {watchers}", "watchers"));
    output::println("Give each player its own link: a link is the key of its seat. Ctrl-C ends the table.");
}

fn show_lobby(format: Format, games: usize, link: &str) {
    if format == Format::Json {
        return output::json_line(&json!({ "kind": "lobby", "games": games, "link": link }).to_string());
    }
    output::println(&format!("a lobby with {games} {}", if games == 1 { "game" } else { "games" }));
    output::println(&format!("  {:8}  {link}", "lobby"));
    output::println("Give the link to all who may sit down at a table. Ctrl-C ends all tables.");
}

/// The address of this machine in the link: one that others can reach, if the server listens everywhere.
fn reachable(address: IpAddr) -> IpAddr {
    if !address.is_unspecified() {
        return address;
    }
    // A datagram socket sends nothing until it is asked to: this looks up the way to the outside.
    let outside = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    outside.map_or(Ipv4Addr::LOCALHOST.into(), |it| it.ip())
}

fn kept_failure(error: &KeptError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error {
        KeptError::Other { .. } => failure.note("give another file to --out, or the same game, players and clock"),
        _ => failure,
    }
}
