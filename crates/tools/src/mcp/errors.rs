//! What an error of `rmcp` says of the connection and of the sign-in, beside the one request it is of.
//!
//! Not here: what is done about it (`server`).

use reqwest::StatusCode;
use rmcp::model::ErrorCode;
use rmcp::service::ServiceError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::McpServerError;

/// The code of a session that is not known, as the official kits have it.
const NO_SESSION: ErrorCode = ErrorCode(-32_001);
/// The code of whatever a server has no other for.
const OF_THE_SERVER: ErrorCode = ErrorCode(-32_000);

/// How servers say that they do not know a session, as the official kits have it. An id may follow.
const NO_SESSION_WORDS: [&str; 8] = [
    "session not found",
    "no valid session",
    "no valid session id",
    "no valid session id provided",
    "invalid session id",
    "unknown session id",
    "expired session id",
    "missing session id",
];
/// What these words may begin with.
const LEADS: [&str; 3] = ["bad request:", "not found:", "unauthorized:"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorClass {
    /// It wants the user to sign in, or takes what that brought no longer.
    Unauthorized,
    /// What a sign-in brought is old and could not be renewed.
    NotRenewed,
    /// The server does not know the session, and so did nothing.
    NoSession,
    /// Nothing answered, or perhaps the session is gone: the server has to be asked whether it is there.
    Unclear,
    /// It is of this request alone.
    RequestOnly {
        /// The HTTP status it was answered with, where that is what failed.
        status: Option<u16>,
    },
}

impl ErrorClass {
    /// The fault of a connection that ends with this, where the sign-in is the cause.
    pub fn sign_in_error(self, detail: &str) -> Option<McpServerError> {
        match self {
            Self::Unauthorized => Some(McpServerError::Unauthorized {}),
            Self::NotRenewed => Some(McpServerError::NotRenewed { detail: detail.to_owned() }),
            Self::NoSession | Self::Unclear | Self::RequestOnly { .. } => None,
        }
    }
}

/// What an error of a request means.
pub(super) fn classify(error: &ServiceError) -> ErrorClass {
    match error {
        ServiceError::TransportSend(error) => classify_transport(error),
        ServiceError::McpError(error) => {
            let may = [NO_SESSION, OF_THE_SERVER, ErrorCode::INVALID_REQUEST].contains(&error.code);
            of_words(&error.message, may)
        }
        _ => ErrorClass::RequestOnly { status: None },
    }
}

/// What an error of the transport means.
pub(super) fn classify_transport(error: &DynamicTransportError) -> ErrorClass {
    let own = ErrorClass::RequestOnly { status: None };
    // A program's input that is closed.
    let Some(error) = error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() else {
        return ErrorClass::Unclear;
    };
    match error {
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => {
            ErrorClass::Unauthorized
        }
        StreamableHttpError::Auth(error) => classify_auth(error),
        StreamableHttpError::SessionExpired => ErrorClass::NoSession,
        StreamableHttpError::UnexpectedServerResponse(words) => of_answer(words),
        StreamableHttpError::HttpStatus(answer) => {
            ErrorClass::RequestOnly { status: Some(answer.status) }
        }
        StreamableHttpError::UnexpectedContentType(_)
        | StreamableHttpError::ResponseBodyTooLarge { .. }
        | StreamableHttpError::Deserialize(_) => own,
        _ => ErrorClass::Unclear,
    }
}

/// What a fault of the sign-in means.
pub(super) fn classify_auth(error: &AuthError) -> ErrorClass {
    match error {
        AuthError::AuthorizationRequired
        | AuthError::TokenRefreshRejected(_)
        | AuthError::InsufficientScope { .. } => ErrorClass::Unauthorized,
        // A keychain that is locked says nothing of either.
        AuthError::CredentialStoreError(_) => ErrorClass::RequestOnly { status: None },
        AuthError::DiscoveryRequestFailed { .. } | AuthError::HttpError(_) => ErrorClass::Unclear,
        _ => ErrorClass::NotRenewed,
    }
}

/// An answer with a status that is none of success, in the words of `rmcp`: `HTTP 400 Bad Request: …`.
fn of_answer(words: &str) -> ErrorClass {
    let answered = words.strip_prefix("HTTP ").and_then(|words| words.split_once(": "));
    let Some((status, body)) = answered else { return ErrorClass::RequestOnly { status: None } };
    let status = status.split(' ').next().and_then(|status| status.parse::<u16>().ok());
    let said = of_words(body, true);
    let refusals = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].map(|it| it.as_u16());
    match (said, status) {
        (ErrorClass::NoSession, _) => said,
        (_, Some(status)) if refusals.contains(&status) => ErrorClass::Unauthorized,
        (ErrorClass::Unclear, _) => said,
        _ => ErrorClass::RequestOnly { status },
    }
}

/// What a server's own words mean: a tool may have a session of its own to speak of.
fn of_words(words: &str, may_be_of_the_session: bool) -> ErrorClass {
    let words = words.trim().to_lowercase();
    if may_be_of_the_session && says_no_session(&words) {
        ErrorClass::NoSession
    } else if words.contains("session") {
        ErrorClass::Unclear
    } else {
        ErrorClass::RequestOnly { status: None }
    }
}

fn says_no_session(words: &str) -> bool {
    let bare = LEADS.iter().find_map(|lead| words.strip_prefix(lead)).unwrap_or(words);
    let said = bare.split([':', '.', '(']).next().unwrap_or_default().trim();
    words.contains("mcp-session-id") || NO_SESSION_WORDS.contains(&said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_protocols_own_words_say_that_the_session_is_gone() {
        for words in [
            "Session not found",
            "Session not found: 8f14e45f",
            "Bad Request: No valid session ID provided",
            "Not Found: Session not found",
            "Missing session ID",
            "Bad Request: Mcp-Session-Id header is required",
        ] {
            assert_eq!(of_words(words, true), ErrorClass::NoSession, "{words}");
            assert_eq!(of_words(words, false), ErrorClass::Unclear, "{words}");
        }
        for words in [
            "Browser session crashed",
            "Login session expired after sending",
            "Your session has insufficient credit",
            "The note was written, but its session not found",
        ] {
            assert_eq!(of_words(words, true), ErrorClass::Unclear, "{words}");
        }
        assert_eq!(of_words("No such file", true), ErrorClass::RequestOnly { status: None });
    }

    #[test]
    fn an_answer_with_a_status_is_of_its_request_unless_it_says_more() {
        let own = |status| ErrorClass::RequestOnly { status: Some(status) };
        assert_eq!(of_answer("HTTP 413 Payload Too Large: "), own(413));
        assert_eq!(of_answer("HTTP 400 Bad Request: no such tool"), own(400));
        assert_eq!(of_answer("HTTP 400 Bad Request: Invalid session ID"), ErrorClass::NoSession);
        assert_eq!(of_answer("HTTP 401 Unauthorized: {}"), ErrorClass::Unauthorized);
        assert_eq!(
            of_answer("HTTP 401 Unauthorized: Unauthorized: Session not found"),
            ErrorClass::NoSession
        );
    }
}
