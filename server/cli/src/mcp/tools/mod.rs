//! The tools: for each, its arguments, the command that answers them, and the parts of the answer that matter most.

mod knowledge;
mod matches;
mod text;
mod value;

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::child::Ended;
use super::desk::{Desk, Placed, Refusal};
use crate::failure::{FOUND, OK};

/// The least and the most seconds of a call.
const LEAST: f64 = 0.1;
const MOST: f64 = 600.0;

/// The answer to a history in another form.
const HISTORY: &str =
    "send `history` as a list of rounds, such as [[\"noop\", \"(deal 1 2)\"]] or [\"(noop (deal 1 2))\"]";

/// The limits of a call.
#[derive(Deserialize, JsonSchema, Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    /// Seconds until the answer, from 0.1 to 600; 20 if it is left out. If they are not enough, the answer is what was found by then.
    time: Option<f64>,
    /// `full`: the whole answer. Otherwise long lists are cut; `left_out` says which.
    detail: Option<Detail>,
}

/// The length of an answer.
#[derive(Deserialize, JsonSchema, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Detail {
    #[default]
    Short,
    Full,
}

impl Effort {
    /// The usual time, and an answer of which nothing is left out.
    const WHOLE: Effort = Effort { time: None, detail: Some(Detail::Full) };

    /// The time of a call.
    ///
    /// # Errors
    /// If it is not in the range.
    pub(super) fn time(&self, usual: Duration) -> Result<Duration, Refusal> {
        match self.time {
            None => Ok(usual),
            Some(time) if (LEAST..=MOST).contains(&time) => Ok(Duration::from_secs_f64(time)),
            Some(time) => Err(format!("`time` is {time}: send seconds from {LEAST} to {MOST}")),
        }
    }

    /// True if nothing is left out.
    pub(super) fn is_full(&self) -> bool {
        self.detail == Some(Detail::Full)
    }
}

/// A tool. The type has the arguments.
pub(super) trait Ask: DeserializeOwned + JsonSchema {
    /// The data of the answer, for its schema.
    type Answer: JsonSchema;
    const NAME: &'static str;
    const TITLE: &'static str;
    /// The question that it answers, and when to use it.
    const ABOUT: &'static str;
    /// True if it may write files.
    const WRITES: bool = false;

    fn effort(&self) -> Effort;

    /// The command line, without the program and without limits on memory.
    ///
    /// # Errors
    /// If the arguments do not fit together.
    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal>;

    /// The answer in what the command printed.
    ///
    /// # Errors
    /// If there is none.
    fn answer(&self, _: &mut Desk, ended: &Ended) -> Result<Value, Refusal> {
        serde_json::from_str(&ended.output).map_err(|_| "there is no answer".to_string())
    }

    /// Leaves out the parts of an answer that say the least.
    fn shorten(&self, _: &mut Map<String, Value>) {}

    /// The answer as text, if it is one.
    fn text(&self, _: &Value) -> Option<String> {
        None
    }
}

/// The words of a command line.
#[derive(Debug)]
pub(super) struct Words(pub(super) Vec<OsString>);

impl Words {
    /// A command.
    fn of(command: &str) -> Words {
        Words(vec![command.into()])
    }

    /// A command with JSON as its output.
    fn json(command: &str) -> Words {
        Words::of(command).with("--format", "json")
    }

    /// An option with its value, in one word: no value is taken for an option.
    fn with(mut self, option: &str, value: impl AsRef<std::ffi::OsStr>) -> Words {
        let mut word = OsString::from(format!("{option}="));
        word.push(value);
        self.0.push(word);
        self
    }

    fn maybe(self, option: &str, value: Option<impl AsRef<std::ffi::OsStr>>) -> Words {
        match value {
            Some(value) => self.with(option, value),
            None => self,
        }
    }

    fn flag(mut self, option: &str, wanted: bool) -> Words {
        if wanted {
            self.0.push(option.into());
        }
        self
    }

    fn time(self, time: Duration) -> Words {
        self.with("--time", format!("{:.3}", time.as_secs_f64()))
    }

    /// The domain of a game, and then the paths, which are not taken for options.
    fn game(self, game: &Placed, trace: Option<&Path>) -> Words {
        self.maybe("--domain", game.domain.as_ref()).paths([Some(game.file.as_path()), trace].into_iter().flatten())
    }

    fn paths<'a>(mut self, paths: impl IntoIterator<Item = &'a Path>) -> Words {
        self.0.push("--".into());
        self.0.extend(paths.into_iter().map(OsString::from));
        self
    }
}

/// A tool in the list.
#[derive(Clone)]
pub(super) struct Entry {
    pub tool: Tool,
    /// Reads the arguments.
    pub read: fn(JsonObject) -> Result<Box<dyn Call>, Refusal>,
}

/// The arguments of one call: what [`Ask`] has for each type.
pub(super) trait Call: Send + Sync {
    fn effort(&self) -> Effort;
    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal>;
    fn answer(&self, desk: &mut Desk, ended: &Ended) -> Result<Value, Refusal>;
    fn shorten(&self, answer: &mut Map<String, Value>);
    fn text(&self, answer: &Value) -> Option<String>;
}

impl<A: Ask + Send + Sync> Call for A {
    fn effort(&self) -> Effort {
        Ask::effort(self)
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        Ask::words(self, desk, time)
    }

    fn answer(&self, desk: &mut Desk, ended: &Ended) -> Result<Value, Refusal> {
        Ask::answer(self, desk, ended)
    }

    fn shorten(&self, answer: &mut Map<String, Value>) {
        Ask::shorten(self, answer);
    }

    fn text(&self, answer: &Value) -> Option<String> {
        Ask::text(self, answer)
    }
}

/// All tools, in the order in which an author needs them.
pub(super) fn all() -> Vec<Entry> {
    vec![
        entry::<text::Check>(),
        entry::<text::Explain>(),
        entry::<text::Fix>(),
        entry::<text::Format>(),
        entry::<text::Convert>(),
        entry::<text::New>(),
        entry::<matches::Step>(),
        entry::<matches::Play>(),
        entry::<matches::Test>(),
        entry::<knowledge::Observe>(),
        entry::<knowledge::Prove>(),
        entry::<knowledge::Repair>(),
        entry::<knowledge::Query>(),
        entry::<knowledge::Infoset>(),
        entry::<knowledge::Beliefs>(),
        entry::<value::Solve>(),
        entry::<value::Worth>(),
    ]
}

fn entry<A: Ask + Send + Sync + 'static>() -> Entry {
    let notes = ToolAnnotations::with_title(A::TITLE)
        .read_only(!A::WRITES)
        .destructive(A::WRITES)
        .idempotent(true)
        .open_world(false);
    let tool = Tool::new(A::NAME, A::ABOUT, Arc::new(arguments::<A>()))
        .with_title(A::TITLE)
        .with_annotations(notes)
        .with_raw_output_schema(Arc::new(answers::<A::Answer>()));
    Entry { tool, read: read::<A> }
}

/// Reads the arguments of a tool. An unknown one is refused: it would be ignored without a word.
fn read<A: Ask + Send + Sync + 'static>(given: JsonObject) -> Result<Box<dyn Call>, Refusal> {
    let schema = arguments::<A>();
    let names: Vec<&String> =
        schema.get("properties").and_then(Value::as_object).into_iter().flatten().map(|it| it.0).collect();
    if let Some(unknown) = given.keys().find(|key| !names.contains(key)) {
        let listed: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
        return Err(format!("`{}` has no argument `{unknown}`; its arguments are {}", A::NAME, listed.join(", ")));
    }
    let read: Result<A, _> = serde_json::from_value(Value::Object(given));
    read.map(|it| Box::new(it) as Box<dyn Call>).map_err(|error| {
        let why = error.to_string().replace("data did not match any variant of untagged enum Round", HISTORY);
        format!("an argument of `{}` is wrong: {why}", A::NAME)
    })
}

fn arguments<A: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true);
    let mut schema = object(settings.into_generator().into_root_schema_for::<A>());
    schema.values_mut().for_each(portable);
    schema.insert("additionalProperties".to_string(), json!(false));
    schema
}

/// The schema of an answer: the command's, the outcome, and what the server adds.
fn answers<A: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = object(settings.into_generator().into_root_schema_for::<A>());
    schema.values_mut().for_each(plain);
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        properties.insert(
            "outcome".to_string(),
            json!({
                "type": "string",
                "enum": ["fine", "problem", "undecided"],
                "description": "`problem`: the game has one. `undecided`: time, memory or rounds were not enough.",
            }),
        );
        properties.insert(
            "notes".to_string(),
            json!({ "type": "array", "items": { "type": "string" }, "description": "Remarks about the answer." }),
        );
        properties.insert(
            "left_out".to_string(),
            json!({
                "type": "array",
                "description": "Lists that were cut; `detail: \"full\"` has them whole.",
                "items": {
                    "type": "object",
                    "properties": { "list": { "type": "string" }, "left_out": { "type": "integer" } },
                },
            }),
        );
    }
    schema.entry("type").or_insert_with(|| json!("object"));
    schema
}

/// The parts of a schema that clients agree on: an argument that may be left out is not `null`, too.
fn portable(schema: &mut Value) {
    each(schema, &mut |map| {
        if let Some(Value::Array(types)) = map.get_mut("type") {
            types.retain(|it| it != "null");
            if let [one] = &types[..] {
                map["type"] = one.clone();
            }
        }
        if let Some(Value::Array(choices)) = map.get_mut("anyOf") {
            choices.retain(|it| it["type"] != "null");
            if let [Value::Object(one)] = &choices[..] {
                let one = one.clone();
                map.remove("anyOf");
                for (key, it) in one {
                    map.entry(key).or_insert(it);
                }
            }
        }
        map.remove("format");
    });
}

/// Leaves only types in a schema: a client may put it before its model, where each word costs.
fn plain(schema: &mut Value) {
    each(schema, &mut |map| {
        match map.remove("type") {
            Some(Value::Array(types)) => {
                let choices: Vec<Value> = types.iter().map(|it| json!({ "type": it })).collect();
                map.insert("anyOf".to_string(), json!(choices));
            }
            Some(one) => drop(map.insert("type".to_string(), one)),
            None => {}
        }
        map.retain(|key, it| !(matches!(key.as_str(), "format" | "minimum") || key == "description" && it.is_string()));
    });
}

/// Visits every schema in a schema, the inner ones first. An object of properties is not a schema itself.
fn each(schema: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(|it| each(it, visit));
            let is_schema = ["type", "$ref", "anyOf", "oneOf", "allOf", "const", "enum"];
            if is_schema
                .iter()
                .any(|it| map.get(*it).is_some_and(|it| !it["type"].is_string() && !it["$ref"].is_string()))
            {
                visit(map);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|it| each(it, visit)),
        _ => {}
    }
}

fn object(schema: Schema) -> JsonObject {
    let mut object = match schema.to_value() {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    };
    for said in ["title", "description", "$schema"] {
        object.remove(said);
    }
    object
}

/// The name of an outcome; `None` if the command failed.
pub(super) fn outcome(code: u8, has_answer: bool) -> Option<&'static str> {
    match code {
        OK => Some("fine"),
        FOUND => Some("problem"),
        _ if has_answer => Some("undecided"),
        _ => None,
    }
}
