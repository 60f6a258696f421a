//! Short answers: an assistant's memory is small, so long lists are cut, and the answer says how much is missing.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// The most entries of a list of objects, and of a list of names or numbers.
const OBJECTS: usize = 10;
const WORDS: usize = 60;
/// The most lists that are named as cut.
const NAMED: usize = 20;

/// A list that was cut.
#[derive(Serialize)]
struct Cut {
    list: String,
    left_out: usize,
}

/// The significant digits of a number: more are noise.
const DIGITS: usize = 6;

/// Cuts the long lists of an answer, and says in `left_out` which ones.
pub(super) fn cut(answer: &mut Value) {
    let mut cuts = Vec::new();
    walk(answer, "", &mut cuts);
    if !cuts.is_empty() {
        let unnamed = cuts.len().saturating_sub(NAMED);
        cuts.truncate(NAMED);
        let mut listed = json!(cuts);
        if let (Value::Array(list), 1..) = (&mut listed, unnamed) {
            list.push(json!({ "list": "other lists", "left_out": unnamed }));
        }
        if let Value::Object(map) = answer {
            map.insert("left_out".to_string(), listed);
        }
    }
}

fn walk(value: &mut Value, path: &str, cuts: &mut Vec<Cut>) {
    match value {
        Value::Array(list) => {
            let most = if list.iter().any(Value::is_object) { OBJECTS } else { WORDS };
            if list.len() > most {
                cuts.push(Cut { list: path.to_string(), left_out: list.len() - most });
                list.truncate(most);
            }
            list.iter_mut().enumerate().for_each(|(at, it)| walk(it, &format!("{path}[{at}]"), cuts));
        }
        Value::Object(map) => {
            for (key, it) in map.iter_mut() {
                let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                walk(it, &below, cuts);
            }
        }
        Value::Number(number) => {
            let digits = number.as_f64().filter(|_| number.is_f64()).map(|it| format!("{it:.*e}", DIGITS - 1));
            if let Some(rounded) = digits.and_then(|it| it.parse::<f64>().ok()).and_then(serde_json::Number::from_f64) {
                *number = rounded;
            }
        }
        _ => {}
    }
}

/// The list at a key.
pub(super) fn list<'a>(map: &'a mut Map<String, Value>, key: &str) -> Option<&'a mut Vec<Value>> {
    map.get_mut(key).and_then(Value::as_array_mut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_named() {
        let mut answer = json!({
            "few": [{ "a": 1 }],
            "findings": (0..25).map(|it| json!({ "at": it })).collect::<Vec<_>>(),
            "inner": { "words": (0..70).collect::<Vec<_>>() },
        });
        cut(&mut answer);
        assert_eq!(answer["findings"].as_array().map(Vec::len), Some(10));
        assert_eq!(answer["inner"]["words"].as_array().map(Vec::len), Some(60));
        assert_eq!(
            answer["left_out"],
            json!([{ "list": "findings", "left_out": 15 }, { "list": "inner.words", "left_out": 10 }])
        );
    }

    #[test]
    fn numbers_are_rounded() {
        let mut answer = json!({ "half": 0.499_999_999_999_9, "value": 48.611_111_111, "count": 1_234_567_890 });
        cut(&mut answer);
        assert_eq!(answer, json!({ "half": 0.5, "value": 48.6111, "count": 1_234_567_890 }));
    }

    #[test]
    fn a_short_answer_stays_as_it_is() {
        let mut answer = json!({ "findings": [{ "a": [1, 2] }] });
        let before = answer.clone();
        cut(&mut answer);
        assert_eq!(answer, before);
    }
}
