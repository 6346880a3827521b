//! The pages and what they need, all of our own making, in the program itself.

use hyper::{
    header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH},
    http::request::Parts,
};

use super::message::{self, Response};

/// A file of the page: its path, what it is, and its text.
struct Asset(&'static str, &'static str, &'static str);

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All of them.
const ASSETS: &[Asset] = &[
    Asset("/", HTML, include_str!("page/practice.html")),
    Asset("/live", HTML, include_str!("page/live.html")),
    Asset("/games", HTML, include_str!("page/games.html")),
    Asset("/style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    Asset("/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
    Asset("/api.js", SCRIPT, include_str!("page/api.js")),
    Asset("/pieces.js", SCRIPT, include_str!("page/pieces.js")),
    Asset("/board.js", SCRIPT, include_str!("page/board.js")),
    Asset("/chart.js", SCRIPT, include_str!("page/chart.js")),
    Asset("/practice.js", SCRIPT, include_str!("page/practice.js")),
    Asset("/score.js", SCRIPT, include_str!("page/score.js")),
    Asset("/live.js", SCRIPT, include_str!("page/live.js")),
    Asset("/games.js", SCRIPT, include_str!("page/games.js")),
];

/// The file of this path.
pub fn find(path: &str, request: &Parts) -> Option<Response> {
    let Asset(_, kind, text) = ASSETS.iter().find(|asset| asset.0 == path)?;
    let tag = format!("\"{:08x}\"", crc32fast::hash(text.as_bytes()));
    let known = request.headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if known { message::not_modified() } else { message::content(kind, *text) };
    message::set(&mut response, ETAG, &tag);
    message::set(&mut response, CACHE_CONTROL, "no-cache");
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_together_are_light() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.2.len()).sum();
        assert!(bytes <= 150_000, "{bytes}");
    }

    #[test]
    fn nothing_is_asked_of_another_host_and_nothing_is_inline() {
        for Asset(path, kind, text) in ASSETS {
            let text = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http://") && !text.contains("https://"), "{path}");
            if *kind == HTML {
                for inline in [" style=", "<style", " onclick=", "<script>"] {
                    assert!(!text.contains(inline), "{path}: {inline}");
                }
            }
            if *kind == SCRIPT {
                for unsafe_way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"]
                {
                    assert!(!text.contains(unsafe_way), "{path}: {unsafe_way}");
                }
            }
        }
    }
}
