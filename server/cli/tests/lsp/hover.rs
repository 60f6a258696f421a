//! Hover.

use expect_test::{Expect, expect};
use serde_json::json;

use crate::client::{Client, cursor};

fn check(uri: &str, text: &str, expected: Expect) {
    let (text, position) = cursor(text);
    let mut client = Client::start();
    client.open(uri, &text);
    let hover = client.request("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": position }));
    expected.assert_eq(hover["contents"]["value"].as_str().unwrap_or("nothing"));
}

#[test]
fn a_keyword_tells_its_meaning_and_source() {
    check(
        "file:///a.kif",
        "(<= (s^ees ?r bang) (role ?r))",
        expect![[r#"
            ```gdl
            (sees r p)
            ```
            In this round role `r` perceives `p`. It gets exactly the set of all such `p`, evaluated on the old state and the joint move, and nothing else about the others' moves.

            *Thielscher, A General Game Description Language for Incomplete Information Games, AAAI 2010*"#]],
    );
}
