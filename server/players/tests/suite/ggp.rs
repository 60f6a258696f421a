//! Whole matches with other programs: two players and a server of ggp-base, and the Dresden game controller. They are
//! in the folder that PERCEPT_GGP names, and need Java. With PERCEPT_RECORD=FOLDER, the messages are written there;
//! `wires.rs` replays such recordings.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{tic_tac_toe, tic_tac_toe_text};
use percept_players::host::{Host, HostOptions, Server};
use percept_players::wire::Limits;
use percept_players::{Address, Arena, Clocks, Ended, MatchOptions, Strategy};

/// The folder with the programs.
fn programs() -> PathBuf {
    let java = Command::new("java").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(java.is_ok_and(|status| status.success()), "this test needs Java");
    percept_test::folder("PERCEPT_GGP")
}

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn class_path(folder: &Path) -> String {
    format!("{}:{}", folder.join("ggp-base.jar").display(), folder.join("guava-14.0.1.jar").display())
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Starts a player of ggp-base and waits until it listens.
fn ggp_player(folder: &Path, gamer: &str) -> (Running, SocketAddr) {
    let port = free_port();
    let child = Command::new("java")
        .args(["-Djava.awt.headless=true", "-cp", &class_path(folder), "StartPlayer", &port.to_string(), gamer])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let begin = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(begin.elapsed() < Duration::from_secs(120), "the player does not listen");
        thread::sleep(Duration::from_millis(50));
    }
    (Running(child), address)
}

/// Our player behind a port.
fn ours(strategy: &str) -> SocketAddr {
    let options = HostOptions { simulations: Some(300), ..HostOptions::default() };
    let host = Arc::new(Host::new(strategy.parse().unwrap(), options).watched_by(|line| eprintln!("{line}")));
    let (tell, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let server = Server::bind("127.0.0.1:0".parse().unwrap(), host, Limits::default()).await.unwrap();
            tell.send(server.address().unwrap()).unwrap();
            server.run().await;
        });
    });
    receiver.recv().unwrap()
}

/// The recorded messages, one after the other.
type Wire = Arc<Mutex<Vec<(String, String)>>>;

/// A proxy between a manager and a player that records everything.
fn between(player: SocketAddr) -> (SocketAddr, Wire) {
    let wire = Wire::default();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let noted = wire.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut manager = stream.unwrap();
            let request = request(&mut manager);
            let mut onward = TcpStream::connect(player).unwrap();
            onward.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            onward.read_to_string(&mut answer).unwrap();
            let _ = manager.write_all(answer.as_bytes());
            noted.lock().unwrap().push((request, answer));
        }
    });
    (address, wire)
}

/// Reads a whole request: its head, and the number of bytes given there.
fn request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut chunk = [0; 1 << 14];
    loop {
        let count = stream.read(&mut chunk).unwrap();
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let head = text.find("\r\n\r\n").map(|at| at + 4).or_else(|| text.find("\n\n").map(|at| at + 2));
        if let Some(head) = head {
            let length = text[..head].lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if bytes.len() >= head + length.unwrap_or(0) {
                return text;
            }
        }
        assert!(count > 0, "a request was cut off: {text}");
    }
}

fn record(name: &str, wire: &Wire) {
    let Some(folder) = std::env::var_os("PERCEPT_RECORD") else { return };
    let mut text = String::new();
    for (request, answer) in wire.lock().unwrap().iter() {
        text.push_str(&serde_json::json!({ "request": request, "answer": answer }).to_string());
        text.push('\n');
    }
    std::fs::write(Path::new(&folder).join(format!("{name}.jsonl")), text).unwrap();
}

/// Tic-Tac-Toe in GDL-I as a file.
fn tic_tac_toe_file() -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".kif").tempfile().unwrap();
    file.write_all(tic_tac_toe_text().as_bytes()).unwrap();
    file
}

/// Our manager with two players of ggp-base.
#[test]
#[ignore = "needs PERCEPT_GGP and Java"]
fn our_manager_with_the_players_of_ggp_base() {
    let folder = programs();
    let (_first, first) = ggp_player(&folder, "random.RandomGamer");
    let (_second, second) = ggp_player(&folder, "sample.SampleMonteCarloGamer");
    let ((first, first_wire), (second, second_wire)) = (between(first), between(second));
    let remote = |address: SocketAddr| Strategy::Remote(Address { address: address.to_string(), protocol: None });
    let seconds = |count| Some(Duration::from_secs(count));
    let clocks = Clocks { start: seconds(10), play: seconds(4), ..Clocks::default() };
    let options = MatchOptions { id: "Percept.1".into(), clocks, ..MatchOptions::default() };
    let arena = Arena::new(tic_tac_toe());
    let outcome = arena.play(&[remote(first), remote(second)], &options);
    assert_eq!((outcome.ended, &outcome.faults[..]), (Ended::Over, &[][..]));
    eprintln!(
        "ggp-base's players, random against Monte Carlo: {:?} after {} rounds",
        outcome.goals,
        outcome.moves.len()
    );
    record("ggp-base-random-gamer", &first_wire);
    record("ggp-base-monte-carlo-gamer", &second_wire);
}

/// The output of a program that plays one match.
fn output(command: &mut Command) -> String {
    let out = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{text}");
    text
}

#[test]
#[ignore = "needs PERCEPT_GGP and Java"]
fn the_server_of_ggp_base_with_our_player() {
    let folder = programs();
    let ((first, wire), (second, _)) = (between(ours("uct")), between(ours("ismcts")));
    let file = tic_tac_toe_file();
    let text = output(
        Command::new("java")
            .args(["-Djava.awt.headless=true", "-cp", &class_path(&folder), "LocalMatch"])
            .arg(file.path())
            .args(["10", "3", &first.to_string(), &second.to_string()]),
    );
    eprintln!("{text}");
    let lower = text.to_lowercase();
    assert!(!lower.contains("error") && !lower.contains("exception") && !lower.contains("illegal"), "{text}");
    record("ggp-base-server", &wire);
}

fn dresden(folder: &Path, game_file: &Path, version: &str, players: &[&str]) -> String {
    let there = std::env::temp_dir().join(format!("percept-dresden-{}-{version}", std::process::id()));
    std::fs::create_dir_all(&there).unwrap();
    let text = output(
        Command::new("java")
            .args(["-Djava.awt.headless=true", "-cp"])
            .arg(folder.join("gamecontroller.jar"))
            .arg("tud.gamecontroller.game.javaprover.GameControllerCLIRunner")
            .arg("DM1")
            .arg(game_file)
            .args(["10", "3", version])
            .args(players)
            .current_dir(&there),
    );
    let _ = std::fs::remove_dir_all(&there);
    eprintln!("{text}");
    let lower = text.to_lowercase();
    assert!(!lower.contains("severe") && !lower.contains("timeout") && !lower.contains("illegal"), "{text}");
    text
}

#[test]
#[ignore = "needs PERCEPT_GGP and Java"]
fn the_dresden_controller_with_our_player_in_gdl_1() {
    let folder = programs();
    let (address, wire) = between(ours("uct"));
    let port = address.port().to_string();
    let file = tic_tac_toe_file();
    dresden(&folder, file.path(), "1", &["-remote", "1", "PERCEPT", "127.0.0.1", &port, "1", "-random", "2"]);
    assert!(wire.lock().unwrap().len() >= 4);
    record("dresden-gdl-1", &wire);
}

#[test]
#[ignore = "needs PERCEPT_GGP and Java"]
fn the_dresden_controller_with_our_player_in_gdl_2() {
    let folder = programs();
    let (address, wire) = between(ours("table"));
    let port = address.port().to_string();
    let players = ["-random", "1", "-remote", "2", "PERCEPT", "127.0.0.1", &port, "2"];
    dresden(&folder, &percept_test::games().join("exploding-bomb/exploding-bomb.kif"), "2", &players);
    let cut = wire.lock().unwrap().iter().any(|(_, answer)| answer.contains("CUT"));
    assert!(cut, "the match was not played");
    record("dresden-gdl-2", &wire);
}
