use hyper::StatusCode;

/// Why a request is not granted: a status, and one line for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status of the answer.
    pub status: StatusCode,
    /// What is wrong and what to do.
    pub text: String,
}

impl Refusal {
    fn new(status: StatusCode, text: impl ToString) -> Refusal {
        Refusal { status, text: text.to_string() }
    }

    /// What was asked for makes no sense.
    pub fn bad(text: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, text)
    }

    /// Not for this visitor.
    pub fn forbidden(text: impl ToString) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, text)
    }

    /// There is no such thing, or it is another visitor's.
    pub fn not_found(what: impl ToString) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, what)
    }

    /// It can't be done as things stand.
    pub fn conflict(text: impl ToString) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, text)
    }

    /// More than is allowed.
    pub fn too_large(text: impl ToString) -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    }

    /// Too much at once.
    pub fn too_many(text: impl ToString) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, text)
    }

    /// The rest of the request did not come.
    pub fn timeout() -> Refusal {
        Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request did not come in time")
    }

    /// A method that makes no sense here.
    pub fn method() -> Refusal {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this can't be done here")
    }
}
