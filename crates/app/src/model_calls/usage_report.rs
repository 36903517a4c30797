//! Sums up usage and cost, and exports them as a table for other programs.
//!
//! Not here: the entries (`costs`).

use std::fmt::Write;
use std::path::Path;

use skein_domain::cost::Cost;
use skein_domain::error::Result;
use skein_domain::generation::CallPurpose;
use skein_domain::money::{DECIMALS, Money};
use skein_platform::atomic_file;
use skein_platform::blocking::run_blocking;
use skein_store::{LedgerEntry, LedgerRow};

use super::costs::Costs;

const HEAD: &str = "time,session,purpose,provider,model,answered_by,service_tier,prompt_tokens,\
cached_tokens,cache_written_tokens,cache_written_1h_tokens,completion_tokens,reasoning_tokens,\
cost,amount,currency";

impl Costs {
    /// Writes every entry of the ledger into a file that the user chose, as CSV with English headings, for
    /// other programs.
    pub async fn export(&self, path: String) -> Result<()> {
        let text = csv(&self.store.ledger_rows().await?);
        let write = move || atomic_file::write_bytes(Path::new(&path), text.as_bytes());
        run_blocking("writing the usage table", write).await?
    }
}

fn csv(rows: &[LedgerRow]) -> String {
    let mut text = format!("{HEAD}\r\n");
    for LedgerRow { time, session, entry } in rows {
        let LedgerEntry { model, usage, .. } = entry;
        let (kind, money) = match &entry.cost {
            Cost::Known { money } => ("known", Some(money)),
            Cost::AtLeast { money } => ("at least", Some(money)),
            Cost::Unknown {} => ("unknown", None),
            Cost::NotBilled {} => ("not billed", None),
        };
        let count = |tokens: Option<u32>| tokens.map(|it| it.to_string()).unwrap_or_default();
        let fields = [
            time.clone(),
            session.map(|session| session.0.to_string()).unwrap_or_default(),
            purpose(entry.purpose).to_owned(),
            quoted(&model.provider.0),
            quoted(&model.model),
            quoted(entry.answered_by.as_deref().unwrap_or_default()),
            quoted(entry.service_tier.as_deref().unwrap_or_default()),
            count(usage.prompt),
            count(usage.cached),
            count(usage.cache_written),
            count(entry.cache_written_hour),
            count(usage.completion),
            count(usage.reasoning),
            kind.to_owned(),
            money.map(decimal).unwrap_or_default(),
            money.map(|money| money.currency.code().to_owned()).unwrap_or_default(),
        ];
        // Writing into a string cannot fail.
        let _ = write!(text, "{}\r\n", fields.join(","));
    }
    text
}

fn purpose(purpose: CallPurpose) -> &'static str {
    match purpose {
        CallPurpose::Reply => "reply",
        CallPurpose::Summary => "summary",
        CallPurpose::Title => "title",
        CallPurpose::SideQuestion => "sideQuestion",
        CallPurpose::ConnectionTest => "connectionTest",
    }
}

/// An amount with every digit.
fn decimal(money: &Money) -> String {
    let one = 10_u64.pow(DECIMALS);
    format!("{}.{:0width$}", money.amount / one, money.amount % one, width = DECIMALS as usize)
}

/// A name from outside, quoted so that no spreadsheet reads it as a formula or as two fields.
fn quoted(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let mark = if is_formula { "'" } else { "" };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{mark}{}\"", text.replace('"', "\"\"")),
        false => format!("{mark}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use skein_domain::money::Currency;

    use super::*;

    #[test]
    fn an_amount_is_written_with_every_digit() {
        let written = |amount| decimal(&Money { amount, currency: Currency::usd() });
        assert_eq!(written(1), "0.000000000001");
        assert_eq!(written(12_500_000_000_000), "12.500000000000");
    }

    #[test]
    fn a_name_from_outside_stays_one_field_and_no_formula() {
        assert_eq!(quoted("gpt-5"), "gpt-5");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(quoted("=cmd()"), "'=cmd()");
    }
}
