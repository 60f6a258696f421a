//! The reports of commands and editors have one schema, in a file of the crate; the types of the VS Code client are
//! generated from it. `UPDATE_EXPECT=1` rewrites both.

use std::fmt::Write;

use expect_test::expect_file;
use percept_game::stepper::ReplayEnd;
use percept_report::belief::Beliefs;
use percept_report::changes::Change;
use percept_report::editor::{Askable, Coverage, Refusal, Repairs, Sitting, WhyAnswer};
use percept_report::members::Members;
use percept_report::pair::Frames;
use percept_report::place::{InEditor, InFile};
use percept_report::scene::Scene;
use percept_report::seat::Seat;
use percept_report::verdict::{GameVerdict, MatchVerdict};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The definitions that a verdict is made of, with places as commands or as editors have them.
fn definitions<P: schemars::JsonSchema>() -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.subschema_for::<MatchVerdict<P>>();
    generator.subschema_for::<GameVerdict<P>>();
    generator.subschema_for::<P>();
    generator.subschema_for::<Change<P>>();
    generator.subschema_for::<Scene>();
    generator.subschema_for::<Seat>();
    generator.subschema_for::<Members>();
    generator.subschema_for::<Beliefs>();
    generator.subschema_for::<Frames>();
    generator.subschema_for::<ReplayEnd>();
    generator.subschema_for::<Refusal>();
    generator.subschema_for::<Askable>();
    generator.subschema_for::<WhyAnswer>();
    generator.subschema_for::<Repairs>();
    generator.subschema_for::<Coverage>();
    generator.subschema_for::<Sitting>();
    generator.take_definitions(true)
}

#[test]
fn the_schema_is_written_down() {
    let schema = serde_json::json!({ "commands": definitions::<InFile>(), "editors": definitions::<InEditor>() });
    let text = serde_json::to_string_pretty(&schema).expect("it has string keys");
    expect_file!["../../schema.json"].assert_eq(&format!("{text}\n"));
}

#[test]
fn the_types_of_the_client_are_those_of_the_schema() {
    let mut text = String::from("// Made from server/report by its test `schema`: do not edit.\n");
    for (name, schema) in definitions::<InEditor>() {
        comment(&schema, "", &mut text);
        match schema.get("properties") {
            Some(properties) => {
                writeln!(text, "export interface {} {{", short(&name)).unwrap();
                let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
                for (key, value) in properties.as_object().expect("properties have names") {
                    comment(value, "  ", &mut text);
                    let optional = if required.iter().any(|name| name == key) { "" } else { "?" };
                    writeln!(text, "  {key}{optional}: {};", type_of(value)).unwrap();
                }
                text += "}\n";
            }
            None => writeln!(text, "export type {} = {};", short(&name), type_of(&schema)).unwrap(),
        }
    }
    expect_file!["../../../../editors/vscode/src/answers.ts"].assert_eq(&text);
}

fn comment(schema: &Value, indent: &str, text: &mut String) {
    if let Some(words) = schema.get("description").and_then(Value::as_str) {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(text, "{indent}/** {words} */").unwrap();
    }
}

/// The client has one type of places for all answers.
fn short(name: &str) -> &str {
    name.split_once("_for_").map_or(name, |(short, _)| short)
}

fn type_of(schema: &Value) -> String {
    let either = |all: &Vec<Value>| all.iter().map(type_of).collect::<Vec<_>>().join(" | ");
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return short(reference.rsplit('/').next().expect("something stands there")).to_owned();
    }
    if let Some(one) = schema.get("const") {
        return one.to_string();
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(all) = schema.get(key).and_then(Value::as_array) {
            return either(all);
        }
    }
    if let Some(all) = schema.get("enum").and_then(Value::as_array) {
        return all.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match schema.get("type") {
        Some(Value::Array(all)) => all.iter().map(|one| simple(one, schema)).collect::<Vec<_>>().join(" | "),
        Some(one) => simple(one, schema),
        None => panic!("{schema} has no type that the client knows"),
    }
}

fn simple(name: &Value, schema: &Value) -> String {
    match name.as_str().expect("a type's name") {
        "integer" | "number" => "number".to_owned(),
        "array" if schema.get("prefixItems").is_some() => {
            let items = schema["prefixItems"].as_array().expect("a list").iter().map(type_of);
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        "array" if schema["maxItems"].is_u64() && schema["minItems"] == schema["maxItems"] => {
            let item = type_of(&schema["items"]);
            let many = usize::try_from(schema["maxItems"].as_u64().unwrap_or(0)).unwrap_or(0);
            format!("[{}]", vec![item; many].join(", "))
        }
        "array" => {
            let item = type_of(&schema["items"]);
            if item.contains(' ') { format!("({item})[]") } else { format!("{item}[]") }
        }
        "object" => format!("Record<string, {}>", type_of(&schema["additionalProperties"])),
        plain => plain.to_owned(),
    }
}
