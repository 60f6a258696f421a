//! Prompts: three tasks in the words of an author, with the tools that they need.

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

/// A task.
struct Task {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// The argument that it needs, and what it is.
    wants: (&'static str, &'static str),
    /// The text; `{}` stands for the argument.
    text: &'static str,
}

const TASKS: &[Task] = &[
    Task {
        name: "write-a-game",
        title: "Write a game",
        about: "From rules in plain words to a game in GDL-II that is clean, playable and knowable.",
        wants: ("rules", "The rules of the game, in plain words"),
        text: "Write this game in GDL-II:\n\n{}\n\nRead percept://docs/gdl-ii and one example that resembles it (the \
            resources percept://games/...). Begin with `new`, and change its text rule by rule. After every change call \
            `check`, and make its fixes, until it has no finding. Then call `play`, and remove every fault that it shows \
            (unless the rules mean it: `winnability` says that a role can never get 100); `step` shows a match. Then call `prove`. Where a role does not know its moves, the end or its goal, look at \
            the two histories and ask whether the rules above hide this from it on purpose. If not, take a proposal of \
            `repair`. For what the rules hide or show on purpose, ask with `query` whether it is so. End when `check` has \
            no finding, `play` has no fault and `prove` has proved everything that the rules ask for; say what is left \
            open.",
    },
    Task {
        name: "make-it-knowable",
        title: "Make a game knowable",
        about: "Gives every role the percepts that it needs to know its moves, the end and its goal.",
        wants: ("path", "The path of the game"),
        text: "Every role of the game at {} should always know its legal moves, the end and its goal, and should learn as \
            little else as possible. Call `prove`. For what is refuted, call `repair`; take the proposal that reveals \
            least and does not spoil what the game hides, insert its lines where `places` says, and call `check` and \
            `prove` again. End when nothing is refuted. Say which percepts were added, and what each role learns now \
            that it did not know before.",
    },
    Task {
        name: "review",
        title: "Review a game",
        about: "A report on a game's text, matches and percepts.",
        wants: ("path", "The path of the game"),
        text: "Review the game at {}. Call `check`, `play` with `coverage`, `prove`, and for a small game `solve` and \
            `worth`. Look at the start and at one match with `step`, also through the eyes of each role. Report: mistakes, \
            with their lines; rules that no match meets; what a role does not know although it should; if a role has an \
            advantage; percepts that are worth nothing. Say for each how certain it is: shown by a match, proved, or \
            measured.",
    },
];

/// All prompts.
pub(super) fn all() -> Vec<Prompt> {
    let prompt = |it: &Task| {
        let wants = PromptArgument::new(it.wants.0).with_description(it.wants.1).with_required(true);
        Prompt::new(it.name, Some(it.about), Some(vec![wants])).with_title(it.title)
    };
    TASKS.iter().map(prompt).collect()
}

/// A prompt with its argument.
///
/// # Errors
/// If there is no such prompt, or its argument is missing.
pub(super) fn filled(name: &str, given: &JsonObject) -> Result<GetPromptResult, String> {
    let Some(task) = TASKS.iter().find(|it| it.name == name) else {
        let names: Vec<&str> = TASKS.iter().map(|it| it.name).collect();
        return Err(format!("there is no prompt `{name}`; the prompts are {}", names.join(", ")));
    };
    let (key, what) = task.wants;
    let Some(value) = given.get(key).and_then(|it| it.as_str()) else {
        return Err(format!("the prompt `{name}` needs `{key}`: {what}"));
    };
    let message = PromptMessage::new_text(Role::User, task.text.replace("{}", value));
    Ok(GetPromptResult::new(vec![message]).with_description(task.about))
}
