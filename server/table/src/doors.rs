//! The requests that a table answers. A page of another site reaches every port of its reader's machine, so a request
//! has to name this server in `Host`, and a line for messages has to come from this server's own page.

use std::net::IpAddr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// The addresses of the server.
#[derive(Clone, Debug)]
pub struct Doors {
    listening: IpAddr,
    hosts: Vec<String>,
}

/// The reason why a name cannot be one of a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the name of a host; write one such as `table.example`, without a port")]
pub struct DoorsError(String);

impl Doors {
    /// The doors of a server that listens at an address; `hosts` are further names of it, without ports.
    ///
    /// # Errors
    /// If a name is not that of a host.
    pub fn new(listening: IpAddr, hosts: &[String]) -> Result<Doors, DoorsError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        match hosts.iter().find(|name| name.is_empty() || !name.bytes().all(fits)) {
            Some(name) => Err(DoorsError(name.clone())),
            None => Ok(Doors { listening: listening.to_canonical(), hosts: hosts.to_vec() }),
        }
    }

    /// The one `Host` of a request, if it is this server.
    pub(crate) fn host<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let host = one(headers, HOST.as_str())?;
        self.is_ours(without_port(host)).then_some(host)
    }

    /// True if the request comes from this server's own page.
    pub(crate) fn is_own_page(&self, headers: &HeaderMap) -> bool {
        let (Some(host), Some(origin)) = (self.host(headers), one(headers, ORIGIN.as_str())) else { return false };
        let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        site.is_some_and(|site| site.eq_ignore_ascii_case(host))
    }

    fn is_ours(&self, name: &str) -> bool {
        if let Ok(address) = name.parse::<IpAddr>() {
            let address = address.to_canonical();
            // No name leads to an address that is written out, so such a page is this server's own.
            return address == self.listening || address.is_loopback() || !self.listening.is_loopback();
        }
        let name = name.strip_suffix('.').unwrap_or(name);
        name.eq_ignore_ascii_case("localhost") || self.hosts.iter().any(|it| it.eq_ignore_ascii_case(name))
    }
}

/// The value of a header that is there once.
fn one<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let only = all.next().filter(|_| all.next().is_none())?;
    only.to_str().ok()
}

/// A host without its port, and without the brackets of an IPv6 address.
fn without_port(host: &str) -> &str {
    if let Some((address, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address;
    }
    host.rsplit_once(':').filter(|(name, _)| !name.contains(':')).map_or(host, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn a_name_is_ours_only_if_it_is_allowed() {
        let here = Doors::new("127.0.0.1".parse().unwrap(), &[]).unwrap();
        let all = Doors::new("0.0.0.0".parse().unwrap(), &["Table.example".into()]).unwrap();
        for host in ["127.0.0.1:80", "localhost:9", "LOCALHOST", "localhost.", "[::1]:80"] {
            assert!(here.host(&headers(&[("host", host)])).is_some(), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:80", "192.168.1.2:80", "", "localhost.evil.example"] {
            assert!(here.host(&headers(&[("host", host)])).is_none(), "{host}");
        }
        assert!(all.host(&headers(&[("host", "192.168.1.2:80")])).is_some());
        assert!(all.host(&headers(&[("host", "table.example:80")])).is_some());
        assert!(all.host(&headers(&[("host", "evil.example")])).is_none());
        assert!(here.host(&headers(&[])).is_none());
        assert!(Doors::new("127.0.0.1".parse().unwrap(), &["a:80".into()]).is_err());
    }

    #[test]
    fn only_the_own_page_has_a_line() {
        let here = Doors::new("127.0.0.1".parse().unwrap(), &[]).unwrap();
        let is_own = |origin: &str| here.is_own_page(&headers(&[("host", "localhost:80"), ("origin", origin)]));
        assert!(is_own("http://localhost:80") && is_own("https://localhost:80"));
        for origin in ["http://evil.example", "null", "", "http://localhost:81", "http://127.0.0.1:80"] {
            assert!(!is_own(origin), "{origin}");
        }
        assert!(!here.is_own_page(&headers(&[("host", "localhost:80")])));
    }
}
