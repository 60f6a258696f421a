//! The outline.

use serde_json::json;

use crate::client::Client;

#[test]
fn the_outline_of_a_domain_has_its_sections_in_order() {
    let mut client = Client::start();
    let uri = "file:///d.pog";
    client.open(uri, "(define (domain d)\n (:predicates (p ?x - role))\n (:action a :parameters () :effect (and)))");
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(symbols[0]["name"], "d");
    let children: Vec<_> = symbols[0]["children"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(children, ["p", "a"]);
}
