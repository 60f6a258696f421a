//! The beginning and the end of a session, and messages at the wrong time.

use serde_json::{Value, json};

use crate::client::{Client, at, capabilities};

#[test]
fn the_best_offered_encoding_is_chosen() {
    let mut client = Client::raw();
    let result = client.request("initialize", json!({ "capabilities": capabilities() }));
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(result["serverInfo"]["name"], "percept");
    let mut client = Client::raw();
    let result = client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
}

#[test]
fn requests_before_initialize_are_refused_and_notifications_dropped() {
    let mut client = Client::raw();
    assert_eq!(client.refused("textDocument/hover", at("file:///a.kif", 0, 0))["code"], -32002);
    client.open("file:///a.kif", "(role x)");
    client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(client.request("textDocument/hover", at("file:///a.kif", 0, 1)), Value::Null);
}

#[test]
fn a_second_initialize_is_refused() {
    let mut client = Client::start();
    assert_eq!(client.refused("initialize", json!({ "capabilities": {} }))["code"], -32600);
}

/// A server may ignore `$/...` messages that are not requests.
#[test]
fn requests_that_nobody_knows_are_answered() {
    let mut client = Client::start();
    client.notify("$/anything", json!({}));
    assert_eq!(client.refused("$/anything", json!({}))["code"], -32601);
    assert_eq!(client.refused("anything", json!({}))["code"], -32601);
}

#[test]
fn requests_after_shutdown_are_refused() {
    let mut client = Client::start();
    client.request("shutdown", Value::Null);
    assert_eq!(client.refused("textDocument/hover", at("file:///a.kif", 0, 0))["code"], -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait(), Some(0));
}

/// This is how Eglot ends a session.
#[test]
fn shutdown_may_have_parameters_that_are_null() {
    let mut client = Client::start();
    client.send(&json!({ "jsonrpc": "2.0", "id": 77, "method": "shutdown", "params": null }));
    let reply = client.answer(77);
    assert!(reply.get("error").is_none() && reply["result"].is_null(), "{reply}");
    client.notify("exit", Value::Null);
    assert_eq!(client.wait(), Some(0));
}

#[test]
fn exit_without_shutdown_is_a_failure() {
    let mut client = Client::start();
    client.notify("exit", Value::Null);
    assert_eq!(client.wait(), Some(1));
}

#[test]
fn exit_before_initialize_ends_the_process() {
    let mut client = Client::raw();
    client.notify("exit", Value::Null);
    assert_eq!(client.wait(), Some(1));
}

#[test]
fn the_end_of_the_input_ends_the_process() {
    let mut client = Client::start();
    client.close_input();
    assert_eq!(client.wait(), Some(1));
}

#[test]
fn malformed_messages_are_answered_and_survived() {
    let mut client = Client::start();
    client.send_bytes(b"Content-Length: 5\r\n\r\n{\"a\":");
    let error = client.take(|message| message["id"].is_null() && message.get("error").is_some());
    assert_eq!(error["error"]["code"], -32700);
    client.send_bytes(b"Content-Length: 2\r\n\r\n[]");
    let error = client.take(|message| message["id"].is_null() && message.get("error").is_some());
    assert_eq!(error["error"]["code"], -32600);
    client.send_bytes(b"nonsense\r\n\r\n\r\n");
    client.open_and_check("file:///a.kif", "(role x)");
}

#[test]
fn unknown_methods_are_refused_unless_optional() {
    let mut client = Client::start();
    assert_eq!(client.refused("percept/nothing", Value::Null)["code"], -32601);
    client.notify("$/setTrace", json!({ "value": "off" }));
    client.notify("$/unheardOf", json!({}));
    client.open_and_check("file:///a.kif", "(role x)");
}

#[test]
fn wrong_parameters_are_refused() {
    let mut client = Client::start();
    assert_eq!(client.refused("textDocument/hover", json!({ "what": 1 }))["code"], -32602);
    client.notify("textDocument/didOpen", json!([1, 2]));
    client.notify("textDocument/didChange", json!({ "textDocument": 3 }));
    client.open_and_check("file:///a.kif", "(role x)");
}
