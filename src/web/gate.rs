//! Who may come in: requests to an address that was printed, from our own pages, and from another machine only with the
//! key. A page elsewhere that had its name resolved to our address (DNS rebinding) comes with a foreign Host or Origin.

use hyper::{
    HeaderMap, Method,
    header::{COOKIE, HOST, HeaderName, ORIGIN},
    http::request::Parts,
};

use super::{error::Refusal, identity::Identity, query};

/// Decides who may come in.
pub struct Gate {
    /// `name:port`, as it was printed.
    hosts: Vec<String>,
    /// Without it nobody comes in, if there is one.
    key: Option<Identity>,
}

/// How a request comes in.
#[derive(Debug, PartialEq, Eq)]
pub enum Entry {
    /// By the address with the key: it is to be remembered, and the address forgotten.
    WithKey(Identity),
    /// As this visitor.
    As(Identity),
    /// As a visitor who was never here.
    New(Identity),
}

const VISITOR: &str = "errare_visitor";
const KEY: &str = "errare_key";
/// Cookies are kept for a year. Other sites can't send them along, except when a link is followed.
const ATTRIBUTES: &str = "Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax";

impl Gate {
    /// Lets in who asks for one of these hosts and, if there is a key, knows it.
    pub fn new(hosts: Vec<String>, key: Option<Identity>) -> Gate {
        Gate { hosts, key }
    }

    /// Whether and as whom a request may come in.
    pub fn check(&self, request: &Parts) -> Result<Entry, Refusal> {
        let headers = &request.headers;
        self.check_host(request)?;
        self.check_origin(headers)?;
        let is_api = request.uri.path().starts_with("/api/");
        if (is_api || request.method != Method::GET)
            && single(headers, &SEC_FETCH_SITE)?.is_some_and(|site| site != "same-origin" && site != "none")
        {
            return Err(Refusal::forbidden("only pages of this server may ask for this"));
        }
        if let Some(key) = self.key {
            let given = query::value(request.uri.query(), "key").and_then(|text| text.parse().ok());
            if given == Some(key) && request.method == Method::GET && !is_api {
                return Ok(Entry::WithKey(key));
            }
            if cookie(headers, KEY) != Some(key) {
                return Err(Refusal::forbidden(
                    "this needs the address with the key, as errare serve has printed it",
                ));
            }
        }
        Ok(cookie(headers, VISITOR).map_or_else(|| Entry::New(Identity::random()), Entry::As))
    }

    fn check_host(&self, request: &Parts) -> Result<(), Refusal> {
        let named = single(&request.headers, &HOST)?;
        let known = |name: &str| self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
        let addressed = request.uri.authority().is_none_or(|authority| known(authority.as_str()));
        match named.is_some_and(known) && addressed {
            true => Ok(()),
            false => Err(Refusal::forbidden("use the address that errare serve has printed")),
        }
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(origin) = single(headers, &ORIGIN)? else { return Ok(()) };
        let host = origin.strip_prefix("http://");
        match host.is_some_and(|host| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))) {
            true => Ok(()),
            false => Err(Refusal::forbidden("another site may not ask for this")),
        }
    }
}

impl Entry {
    /// What is to be remembered by the browser.
    pub fn cookie(&self) -> Option<String> {
        match self {
            Entry::WithKey(key) => Some(format!("{KEY}={key}; {ATTRIBUTES}")),
            Entry::New(visitor) => Some(format!("{VISITOR}={visitor}; {ATTRIBUTES}")),
            Entry::As(_) => None,
        }
    }
}

static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The value of a header that may be there once at most.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    match (first.map(|value| value.to_str()).transpose(), values.next()) {
        (Ok(value), None) => Ok(value),
        _ => Err(Refusal::bad(format!("the header {name} makes no sense"))),
    }
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<Identity> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name).then(|| value.parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use hyper::{Request, StatusCode};

    use super::*;

    fn check(gate: &Gate, method: &str, path: &str, headers: &[(&str, &str)]) -> Result<Entry, StatusCode> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        gate.check(&parts).map_err(|refusal| refusal.status)
    }

    fn open() -> Gate {
        Gate::new(vec!["127.0.0.1:8765".to_owned(), "localhost:8765".to_owned()], None)
    }

    #[test]
    fn only_printed_addresses_are_served() {
        let gate = open();
        assert!(check(&gate, "GET", "/", &[("host", "localhost:8765")]).is_ok());
        for headers in [
            &[][..],
            &[("host", "evil.example")],
            &[("host", "localhost")],
            &[("host", "localhost:8765.evil.example")],
            &[("host", "localhost:8765"), ("host", "evil.example")],
        ] {
            assert!(check(&gate, "GET", "/", headers).is_err(), "{headers:?}");
        }
        let absolute = "http://evil.example/api/practice";
        assert!(check(&gate, "GET", absolute, &[("host", "localhost:8765")]).is_err());
    }

    #[test]
    fn other_sites_may_link_here_and_nothing_else() {
        let gate = open();
        let host = ("host", "localhost:8765");
        for (method, path, header, allowed) in [
            ("POST", "/api/practice", ("origin", "http://localhost:8765"), true),
            ("POST", "/api/practice", ("origin", "http://evil.example"), false),
            ("POST", "/api/practice", ("origin", "https://localhost:8765"), false),
            ("POST", "/api/practice", ("origin", "null"), false),
            ("GET", "/api/practice", ("sec-fetch-site", "cross-site"), false),
            ("GET", "/api/practice", ("sec-fetch-site", "same-site"), false),
            ("GET", "/api/practice", ("sec-fetch-site", "same-origin"), true),
            ("GET", "/", ("sec-fetch-site", "cross-site"), true),
        ] {
            assert_eq!(
                check(&gate, method, path, &[host, header]).is_ok(),
                allowed,
                "{method} {path} {header:?}"
            );
        }
    }

    #[test]
    fn with_a_key_nobody_comes_in_without_it() {
        let key = Identity::random();
        let gate = Gate::new(vec!["192.168.0.2:8765".to_owned()], Some(key));
        let host = ("host", "192.168.0.2:8765");
        assert_eq!(check(&gate, "GET", "/", &[host]), Err(StatusCode::FORBIDDEN));
        let wrong = format!("/?key={}", Identity::random());
        assert_eq!(check(&gate, "GET", &wrong, &[host]), Err(StatusCode::FORBIDDEN));
        assert_eq!(check(&gate, "GET", &format!("/?key={key}"), &[host]), Ok(Entry::WithKey(key)));
        let known = format!("a=b; {KEY}={key}");
        assert!(matches!(check(&gate, "GET", "/", &[host, ("cookie", &known)]), Ok(Entry::New(_))));
    }

    #[test]
    fn a_visitor_is_known_by_his_cookie() {
        let visitor = Identity::random();
        let cookie = format!("{VISITOR}={visitor}");
        let entry = check(&open(), "GET", "/", &[("host", "localhost:8765"), ("cookie", &cookie)]);
        assert_eq!(entry, Ok(Entry::As(visitor)));
        let entry =
            check(&open(), "GET", "/", &[("host", "localhost:8765"), ("cookie", "errare_visitor=../x")]);
        assert!(matches!(entry, Ok(Entry::New(_))));
    }
}
