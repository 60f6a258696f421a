//! Our player behind a port, and raw sockets.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use percept_game::Game;
use percept_players::host::{Admission, Host, HostOptions, Server};
use percept_players::wire::Limits;
use percept_players::{Absence, Clock, Person, Sight};

/// Our player behind a port, for as long as the test runs.
pub fn hosted(strategy: &str) -> SocketAddr {
    hosted_with(strategy, HostOptions { simulations: Some(200), ..HostOptions::default() })
}

pub fn hosted_with(strategy: &str, options: HostOptions) -> SocketAddr {
    served(Host::new(strategy.parse().unwrap(), options), Limits::default(), Admission::default(), 512)
}

/// Any host behind a port, with `threads` threads that may wait.
pub fn served(host: Host, limits: Limits, admission: Admission, threads: usize) -> SocketAddr {
    let (tell, port) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.max_blocking_threads(threads).enable_all().build().unwrap();
        runtime.block_on(async {
            let server = Server::bind("127.0.0.1:0".parse().unwrap(), Arc::new(host), limits).await.unwrap();
            tell.send(server.address().unwrap()).unwrap();
            server.admitting(admission).run().await;
        });
    });
    port.recv().unwrap()
}

/// Sends text unchanged, and leaves the connection open. A failed write means that the server refused.
pub fn sent(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// Reads everything until the connection is closed.
pub fn rest(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Sends text unchanged, and reads everything until the connection is closed.
pub fn raw(address: SocketAddr, text: &str) -> String {
    rest(sent(address, text))
}

/// A message with the headers of the Dresden controller.
pub fn request(message: &str) -> String {
    let head = "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: localhost\r\n";
    format!("{head}Content-type: text/acl\r\nContent-length: {}\r\n\r\n{message}", message.len())
}

pub fn post(address: SocketAddr, message: &str) -> String {
    raw(address, &request(message))
}

/// The body of an answer.
pub fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").expect("an answer").1
}

/// A person who does not answer in time, and uses no processor time.
#[derive(Default)]
pub struct Sleeper {
    /// The time for which the sleep goes on after the clock has run out.
    pub late: Duration,
}

impl Person for Sleeper {
    fn choose(&self, _: &Game, _: &Sight, clock: &Clock) -> Result<usize, Absence> {
        while !clock.is_over() {
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(self.late);
        Err(Absence::Left)
    }

    fn over(&self, _: &Game, _: &Sight) {}
}
