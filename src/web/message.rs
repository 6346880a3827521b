//! Requests read, answers written.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use http_body_util::{BodyExt, Limited};
use hyper::{
    HeaderMap, StatusCode,
    body::{Bytes, Frame, Incoming},
    header::{self, HeaderName, HeaderValue},
};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::mpsc;

use super::{connections::Busy, error::Refusal};

/// An answer.
pub type Response = hyper::Response<Body>;

/// What an answer carries.
pub struct Body {
    content: Content,
    /// The connection is in use until all is sent.
    pub busy: Option<Busy>,
    /// Something that lasts as long as the answer does.
    pub held: Option<Box<dyn Send + Sync>>,
}

enum Content {
    Whole(Option<Bytes>),
    Stream(mpsc::Receiver<Bytes>),
}

impl Body {
    fn whole(bytes: impl Into<Bytes>) -> Body {
        Body { content: Content::Whole(Some(bytes.into())), busy: None, held: None }
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.content {
            Content::Whole(bytes) => Poll::Ready(
                bytes.take().filter(|bytes| !bytes.is_empty()).map(|bytes| Ok(Frame::data(bytes))),
            ),
            Content::Stream(stream) => {
                stream.poll_recv(context).map(|next| next.map(|bytes| Ok(Frame::data(bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            Content::Whole(bytes) => bytes.as_ref().is_none_or(Bytes::is_empty),
            Content::Stream(_) => false,
        }
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        match &self.content {
            Content::Whole(bytes) => {
                hyper::body::SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Content::Stream(_) => hyper::body::SizeHint::default(),
        }
    }
}

fn answer(status: StatusCode, kind: &'static str, body: Body) -> Response {
    let mut response = hyper::Response::new(body);
    *response.status_mut() = status;
    set(&mut response, header::CONTENT_TYPE, kind);
    response
}

/// Sets a header of an answer; a value that can't be one is left out.
pub fn set(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// Text of some kind.
pub fn content(kind: &'static str, bytes: impl Into<Bytes>) -> Response {
    answer(StatusCode::OK, kind, Body::whole(bytes))
}

/// An object.
pub fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => content("application/json", bytes),
        Err(error) => {
            log::error!("an answer can't be written: {error}");
            answer(StatusCode::INTERNAL_SERVER_ERROR, "text/plain; charset=utf-8", Body::whole(""))
        }
    }
}

/// Nothing but that it is done.
pub fn done() -> Response {
    answer(StatusCode::NO_CONTENT, "text/plain; charset=utf-8", Body::whole(""))
}

/// A file to be saved. The name is ours, without any character that means something.
pub fn download(name: &str, kind: &'static str, text: String) -> Response {
    let mut response = content(kind, text);
    set(&mut response, header::CONTENT_DISPOSITION, &format!("attachment; filename=\"{name}\""));
    response
}

/// A stream of events.
pub fn events(stream: mpsc::Receiver<Bytes>) -> Response {
    let body = Body { content: Content::Stream(stream), busy: None, held: None };
    answer(StatusCode::OK, "text/event-stream", body)
}

/// Sends the browser elsewhere on this server.
pub fn redirect(path: &str) -> Response {
    let mut response = answer(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", Body::whole(""));
    set(&mut response, header::LOCATION, path);
    response
}

/// The browser has it already.
pub fn not_modified() -> Response {
    answer(StatusCode::NOT_MODIFIED, "text/plain; charset=utf-8", Body::whole(""))
}

/// Why not.
pub fn refusal(refusal: &Refusal) -> Response {
    let object = serde_json::json!({ "error": refusal.text }).to_string();
    let mut response = answer(refusal.status, "application/json", Body::whole(object));
    if matches!(refusal.status, StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT) {
        // What is still coming is not wanted.
        set(&mut response, header::CONNECTION, "close");
    }
    response
}

/// The body of a small request has to be there after this time.
const BODY_TIME: Duration = Duration::from_secs(10);
/// For each so many bytes that may come, a second more.
const BYTES_PER_SECOND: usize = 1 << 17;

/// Reads the body of a request, of so many bytes at most.
pub async fn read(headers: &HeaderMap, body: Incoming, most: usize) -> Result<Bytes, Refusal> {
    let too_large = || Refusal::too_large(format!("more than {} kB can't be sent at once", most / 1000));
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    let time = BODY_TIME + Duration::from_secs((most / BYTES_PER_SECOND) as u64);
    match tokio::time::timeout(time, Limited::new(body, most).collect()).await {
        Err(_) => Err(Refusal::timeout()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Refusal::bad("the request was broken off")),
        Ok(Ok(body)) => Ok(body.to_bytes()),
    }
}

/// Objects are not longer than this.
pub const OBJECT_BYTES: usize = 1 << 16;

/// Reads an object. A form that another site has sent is none.
pub async fn object<T: DeserializeOwned>(headers: &HeaderMap, body: Incoming) -> Result<T, Refusal> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        return Err(Refusal::bad("the content type must be application/json"));
    }
    let bytes = read(headers, body, OBJECT_BYTES).await?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Refusal::bad(format!("the request can't be read: {error}")))
}
