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

#[test]
fn a_comment_of_a_stranger_is_text() {
    let text = "; ![x](https://evil.example/p.png) <img src=x> [a](command:x)\n(role wh^ite)\n";
    check(
        "file:///a.kif",
        text,
        expect![[r"
            ```gdl
            white  ; role
            ```
            !\[x\](https\://evil.example/p.png) \<img src=x> \[a\](command:x)

            defined 1×"]],
    );
    // An editor without Markdown receives the plain text.
    let (text, position) = cursor(text);
    let hover = json!({ "textDocument": { "hover": { "contentFormat": ["plaintext"] } } });
    let mut client = Client::with(json!({ "capabilities": hover }));
    client.open("file:///a.kif", &text);
    let at = json!({ "textDocument": { "uri": "file:///a.kif" }, "position": position });
    let plain = client.request("textDocument/hover", at)["contents"]["value"].as_str().unwrap_or_default().to_string();
    assert!(plain.contains("\n![x](https://evil.example/p.png) <img src=x> [a](command:x)\n"), "{plain}");
}
