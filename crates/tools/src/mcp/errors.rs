//! Classifies errors of `rmcp`: consequences for the connection and the sign-in, beside the failed
//! request.
//!
//! Not here: the reaction (`server`).

use reqwest::StatusCode;
use rmcp::model::ErrorCode;
use rmcp::service::ServiceError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::McpServerError;

/// The code for an unknown session in the official SDKs.
const NO_SESSION: ErrorCode = ErrorCode(-32_001);
const SERVER_ERROR: ErrorCode = ErrorCode(-32_000);

/// Messages for an unknown session in the official SDKs. An id may follow.
const NO_SESSION_MESSAGES: [&str; 8] = [
    "session not found",
    "no valid session",
    "no valid session id",
    "no valid session id provided",
    "invalid session id",
    "unknown session id",
    "expired session id",
    "missing session id",
];
/// Possible prefixes of these messages.
const MESSAGE_PREFIXES: [&str; 3] = ["bad request:", "not found:", "unauthorized:"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorClass {
    /// The user must sign in, or the tokens are no longer accepted.
    Unauthorized,
    /// The tokens are expired and could not be renewed.
    NotRenewed,
    /// The server does not know the session, so the request had no effect.
    NoSession,
    /// No response, or possibly a lost session. The server must be pinged.
    Unclear,
    /// Only this request failed.
    RequestOnly {
        /// The HTTP status; `None` if the failure has none.
        status: Option<u16>,
    },
}

impl ErrorClass {
    /// The error of a connection that ends with this class, if the sign-in is the cause.
    pub fn sign_in_error(self, detail: &str) -> Option<McpServerError> {
        match self {
            Self::Unauthorized => Some(McpServerError::Unauthorized {}),
            Self::NotRenewed => Some(McpServerError::NotRenewed { detail: detail.to_owned() }),
            Self::NoSession | Self::Unclear | Self::RequestOnly { .. } => None,
        }
    }
}

/// The class of a request's error.
pub(super) fn classify(error: &ServiceError) -> ErrorClass {
    match error {
        ServiceError::TransportSend(error) => classify_transport(error),
        ServiceError::McpError(error) => {
            let may = [NO_SESSION, SERVER_ERROR, ErrorCode::INVALID_REQUEST].contains(&error.code);
            classify_message(&error.message, may)
        }
        _ => ErrorClass::RequestOnly { status: None },
    }
}

/// A closed pipe of a program is unclear: the server may be gone.
pub(super) fn classify_transport(error: &DynamicTransportError) -> ErrorClass {
    let own = ErrorClass::RequestOnly { status: None };
    // The closed stdin of a program.
    let Some(error) = error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() else {
        return ErrorClass::Unclear;
    };
    match error {
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => {
            ErrorClass::Unauthorized
        }
        StreamableHttpError::Auth(error) => classify_auth(error),
        StreamableHttpError::SessionExpired => ErrorClass::NoSession,
        StreamableHttpError::UnexpectedServerResponse(message) => classify_status(message),
        StreamableHttpError::HttpStatus(answer) => {
            ErrorClass::RequestOnly { status: Some(answer.status) }
        }
        StreamableHttpError::UnexpectedContentType(_)
        | StreamableHttpError::ResponseBodyTooLarge { .. }
        | StreamableHttpError::Deserialize(_) => own,
        _ => ErrorClass::Unclear,
    }
}

/// The class of an authorization error.
pub(super) fn classify_auth(error: &AuthError) -> ErrorClass {
    match error {
        AuthError::AuthorizationRequired
        | AuthError::TokenRefreshRejected(_)
        | AuthError::InsufficientScope { .. } => ErrorClass::Unauthorized,
        // A locked keychain says nothing about the tokens.
        AuthError::CredentialStoreError(_) => ErrorClass::RequestOnly { status: None },
        AuthError::DiscoveryRequestFailed { .. } | AuthError::HttpError(_) => ErrorClass::Unclear,
        _ => ErrorClass::NotRenewed,
    }
}

/// The class of an error status, from `rmcp`'s message: `HTTP 400 Bad Request: …`.
fn classify_status(words: &str) -> ErrorClass {
    let answered = words.strip_prefix("HTTP ").and_then(|words| words.split_once(": "));
    let Some((status, body)) = answered else { return ErrorClass::RequestOnly { status: None } };
    let status = status.split(' ').next().and_then(|status| status.parse::<u16>().ok());
    let class = classify_message(body, true);
    let refusals = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].map(|it| it.as_u16());
    match (class, status) {
        (ErrorClass::NoSession, _) => class,
        (_, Some(status)) if refusals.contains(&status) => ErrorClass::Unauthorized,
        (ErrorClass::Unclear, _) => class,
        _ => ErrorClass::RequestOnly { status },
    }
}

/// The class of a server's own message. A tool may mean a session of its own.
fn classify_message(message: &str, may_be_of_the_session: bool) -> ErrorClass {
    let message = message.trim().to_lowercase();
    if may_be_of_the_session && says_no_session(&message) {
        ErrorClass::NoSession
    } else if message.contains("session") {
        ErrorClass::Unclear
    } else {
        ErrorClass::RequestOnly { status: None }
    }
}

fn says_no_session(message: &str) -> bool {
    let bare =
        MESSAGE_PREFIXES.iter().find_map(|lead| message.strip_prefix(lead)).unwrap_or(message);
    let first_clause = bare.split([':', '.', '(']).next().unwrap_or_default().trim();
    message.contains("mcp-session-id") || NO_SESSION_MESSAGES.contains(&first_clause)
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
            assert_eq!(classify_message(words, true), ErrorClass::NoSession, "{words}");
            assert_eq!(classify_message(words, false), ErrorClass::Unclear, "{words}");
        }
        for words in [
            "Browser session crashed",
            "Login session expired after sending",
            "Your session has insufficient credit",
            "The note was written, but its session not found",
        ] {
            assert_eq!(classify_message(words, true), ErrorClass::Unclear, "{words}");
        }
        assert_eq!(
            classify_message("No such file", true),
            ErrorClass::RequestOnly { status: None }
        );
    }

    #[test]
    fn an_answer_with_a_status_is_of_its_request_unless_it_says_more() {
        let own = |status| ErrorClass::RequestOnly { status: Some(status) };
        assert_eq!(classify_status("HTTP 413 Payload Too Large: "), own(413));
        assert_eq!(classify_status("HTTP 400 Bad Request: no such tool"), own(400));
        assert_eq!(
            classify_status("HTTP 400 Bad Request: Invalid session ID"),
            ErrorClass::NoSession
        );
        assert_eq!(classify_status("HTTP 401 Unauthorized: {}"), ErrorClass::Unauthorized);
        assert_eq!(
            classify_status("HTTP 401 Unauthorized: Unauthorized: Session not found"),
            ErrorClass::NoSession
        );
    }
}
