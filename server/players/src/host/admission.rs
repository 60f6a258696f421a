//! Admission of requests. Requests of web pages, which reach every port of their reader's machine, are refused.
//!
//! A page's own requests name it in `Origin`. A page whose name was made to resolve to this machine (DNS rebinding)
//! names itself in `Host`. Managers send neither: they name the address, or nothing.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{HOST, HeaderMap, HeaderValue, ORIGIN};
use hyper::{Request, StatusCode};

use crate::wire::shown;

/// The requests admitted in addition to requests by POST for the server's own address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    /// Host names that a request may use, without a port.
    hosts: Vec<String>,
    /// Web pages whose requests are answered, such as `http://localhost:8000`.
    origins: Vec<String>,
    /// True if messages may come by GET.
    pub(super) get: bool,
}

/// The reason why a setting is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionError {
    /// The text is not a host name.
    #[error("`{0}` is not the name of a host; write one such as `player.example`, without a port")]
    Host(String),
    /// The text is not an origin.
    #[error("`{0}` is not the origin of a web page; write one such as `http://localhost:8000`, without a path")]
    Origin(String),
}

impl Admission {
    /// Admits requests for this host name.
    ///
    /// # Errors
    /// Fails if the text is not a host name.
    pub fn allow_host(&mut self, name: &str) -> Result<(), AdmissionError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if name.is_empty() || !name.bytes().all(fits) {
            return Err(AdmissionError::Host(name.into()));
        }
        self.hosts.push(name.into());
        Ok(())
    }

    /// Admits the requests of a web page.
    ///
    /// # Errors
    /// Fails if the text is not an origin.
    pub fn allow_origin(&mut self, origin: &str) -> Result<(), AdmissionError> {
        let fits = |byte: u8| byte.is_ascii_graphic() && !b"/?#@*".contains(&byte);
        let is_one = origin.split_once("://").is_some_and(|(scheme, rest)| {
            scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
                && !scheme.is_empty()
                && !rest.is_empty()
                && rest.bytes().all(fits)
        });
        if !is_one {
            return Err(AdmissionError::Origin(origin.into()));
        }
        self.origins.push(origin.into());
        Ok(())
    }

    /// Sets if messages may come by GET. Any link or picture can send one.
    pub fn allow_get(&mut self, allow: bool) {
        self.get = allow;
    }

    /// Returns the web page that a request comes from, if it is admitted.
    pub(super) fn page<'a>(&self, headers: &'a HeaderMap) -> Option<&'a HeaderValue> {
        headers.get(ORIGIN).filter(|&origin| self.lets_in(origin))
    }

    fn lets_in(&self, origin: &HeaderValue) -> bool {
        self.origins.iter().any(|other| other.as_bytes().eq_ignore_ascii_case(origin.as_bytes()))
    }

    /// Returns the reason why a request is refused, with its status.
    pub(super) fn refusal<B>(&self, request: &Request<B>, listening: SocketAddr) -> Option<(StatusCode, String)> {
        let hosts = request.headers().get_all(HOST).iter().map(|host| host.to_str().unwrap_or("\u{fffd}"));
        let hosts = hosts.chain(request.uri().authority().map(|authority| authority.as_str()));
        for host in hosts.map(str::trim).filter(|host| !host.is_empty()) {
            if !self.is_for_us(host, listening.ip().to_canonical()) {
                let why = format!(
                    "this request is for `{}`, not for the address that the player listens on; --allow-host allows a name",
                    shown(host)
                );
                return Some((StatusCode::FORBIDDEN, why));
            }
        }
        let mut origins = request.headers().get_all(ORIGIN).iter();
        if let Some(origin) = origins.find(|origin| !self.lets_in(origin)) {
            let origin = origin.to_str().unwrap_or("\u{fffd}");
            let why = format!("a web page (`{origin}`) may not send messages; --allow-origin allows one");
            return Some((StatusCode::FORBIDDEN, why));
        }
        // Browsers request pictures and links of pages without an origin.
        let site = request.headers().get("sec-fetch-site");
        if site.is_some_and(|site| site != "none") && self.page(request.headers()).is_none() {
            return Some((StatusCode::FORBIDDEN, "a web page may not send messages; --allow-origin allows one".into()));
        }
        None
    }

    /// True if a request that names this host is for `address`. Behind a public address, any name is possible.
    fn is_for_us(&self, host: &str, address: IpAddr) -> bool {
        let name = without_port(host);
        if let Ok(literal) = name.parse::<IpAddr>() {
            let literal = literal.to_canonical();
            return literal == address || literal.is_loopback() || !address.is_loopback();
        }
        let name = name.strip_suffix('.').unwrap_or(name);
        name.eq_ignore_ascii_case("localhost")
            || self.hosts.iter().any(|other| other.eq_ignore_ascii_case(name))
            || self.hosts.is_empty() && !address.is_loopback()
    }
}

/// Returns a host without its port, and without the brackets of an IPv6 address.
fn without_port(host: &str) -> &str {
    if let Some((address, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address;
    }
    match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(admission: &Admission, listening: &str, headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().method("POST").uri("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        admission.refusal(&request.body(()).unwrap(), listening.parse().unwrap()).is_some()
    }

    #[test]
    fn hosts_are_the_address_or_names_that_are_allowed() {
        let mut allowing = Admission::default();
        allowing.allow_host("player.example").unwrap();
        let (plain, here, all) = (Admission::default(), "127.0.0.1:9147", "0.0.0.0:9147");
        for host in ["127.0.0.1", "127.0.0.1:9147", "localhost", "LOCALHOST:80", "localhost.", "[::1]:9147", "::1", ""]
        {
            assert!(!is_refused(&plain, here, &[("host", host)]), "{host}");
            assert!(!is_refused(&plain, all, &[("host", host)]), "{host}");
        }
        for host in
            ["evil.example", "evil.example:9147", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1"]
        {
            assert!(is_refused(&plain, here, &[("host", host)]), "{host}");
            assert!(!is_refused(&plain, all, &[("host", host)]), "{host}");
        }
        assert!(is_refused(&plain, here, &[("host", "localhost"), ("host", "evil.example")]));
        assert!(is_refused(&plain, "[::1]:9147", &[("host", "evil.example")]));
        assert!(is_refused(&plain, "[::ffff:127.0.0.1]:9147", &[("host", "evil.example")]));
        for listening in [here, all] {
            assert!(!is_refused(&allowing, listening, &[("host", "Player.Example:9147")]));
            assert!(is_refused(&allowing, listening, &[("host", "evil.example")]));
        }
        assert!(!is_refused(&plain, here, &[]), "HTTP/1.0 needs no host");
    }

    #[test]
    fn pages_are_refused_unless_they_are_allowed() {
        let mut allowing = Admission::default();
        allowing.allow_origin("http://localhost:8000").unwrap();
        let plain = Admission::default();
        for listening in ["127.0.0.1:9147", "0.0.0.0:9147"] {
            for origin in ["http://evil.example", "null", "http://localhost:8000"] {
                assert!(is_refused(&plain, listening, &[("origin", origin)]), "{origin}");
            }
            assert!(!is_refused(&allowing, listening, &[("origin", "http://localhost:8000")]));
            assert!(is_refused(&allowing, listening, &[("origin", "http://localhost:8001")]));
            assert!(is_refused(&plain, listening, &[("sec-fetch-site", "cross-site")]));
            assert!(!is_refused(&plain, listening, &[("sec-fetch-site", "none")]));
        }
        for origin in ["*", "localhost", "http://", "http://a/b", "http://a\nb", "null"] {
            assert!(Admission::default().allow_origin(origin).is_err(), "{origin}");
        }
        for host in ["", "a:80", "*", "a/b"] {
            assert!(Admission::default().allow_host(host).is_err(), "{host}");
        }
    }
}
