//! `budgets.json`: what was spent in each period, and what the user agreed to beyond a limit.
//!
//! The file lies beside the settings and not in the database: a restored copy of the database would otherwise
//! refill a budget, and one from elsewhere would bring a yes that nobody gave here. Only periods with a
//! budget are in it. Of an unreadable or missing file nothing is known: what the ledger adds up to counts
//! then, and each yes is asked for again.

use std::fs;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use skein_context::cost::budget::{BudgetAgreement, Spending};
use skein_domain::budget::{BudgetAmount, BudgetPeriod};
use skein_domain::error::{Error, Result};
use skein_platform::atomic_file;
use skein_platform::blocking::run_blocking;

/// So many periods are kept, those that were used last.
const KEPT: usize = 500;

/// All that is known of one period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PeriodAccount {
    pub period: BudgetPeriod,
    /// Every call of this installation, also one that the database does not know of any more.
    pub spent: Spending,
    /// In the order they were given.
    pub agreements: Vec<BudgetAgreement>,
    /// The stops whose warning the user has dismissed.
    pub dismissed: Vec<BudgetAmount>,
}

/// The file and what is in it.
pub(super) struct BudgetFile {
    path: PathBuf,
    /// The one used last is the last.
    accounts: Mutex<Vec<PeriodAccount>>,
    /// One write at a time, in the order of the changes.
    writing: tokio::sync::Mutex<()>,
}

impl BudgetFile {
    pub fn open(path: PathBuf) -> Self {
        let accounts = Mutex::new(read(&path));
        Self { path, accounts, writing: tokio::sync::Mutex::default() }
    }

    /// The account of a period whose calls in the ledger are `stored`: of two sums the larger counts.
    pub fn account(&self, period: &BudgetPeriod, stored: &Spending) -> PeriodAccount {
        let accounts = self.accounts.lock();
        let known = accounts.iter().find(|account| account.period == *period);
        let mut account = known.cloned().unwrap_or_else(|| empty(period));
        account.spent = account.spent.or_larger(stored);
        account
    }

    /// Changes what is known of a period, in memory and on the disk. A file that cannot be written is logged:
    /// the change holds until the program ends.
    ///
    /// # Errors
    /// Where the writing broke off.
    pub async fn change(
        &self,
        period: &BudgetPeriod,
        change: impl FnOnce(&mut PeriodAccount),
    ) -> Result<()> {
        let _alone = self.writing.lock().await;
        let bytes = {
            let mut accounts = self.accounts.lock();
            let place = accounts.iter().position(|account| account.period == *period);
            let mut account = place.map_or_else(|| empty(period), |place| accounts.remove(place));
            change(&mut account);
            accounts.push(account);
            let surplus = accounts.len().saturating_sub(KEPT);
            accounts.drain(..surplus);
            let json = serde_json::to_vec_pretty(&*accounts);
            json.map_err(|error| Error::Storage { detail: error.to_string() })?
        };
        let path = self.path.clone();
        let write = move || atomic_file::write_private(&path, &bytes);
        if let Err(error) = run_blocking("writing the budgets", write).await? {
            tracing::warn!(%error, "what was spent could not be written beside the settings");
        }
        Ok(())
    }
}

fn empty(period: &BudgetPeriod) -> PeriodAccount {
    PeriodAccount {
        period: period.clone(),
        spent: Spending::default(),
        agreements: Vec::new(),
        dismissed: Vec::new(),
    }
}

fn read(path: &Path) -> Vec<PeriodAccount> {
    let Ok(bytes) = fs::read(path) else { return Vec::new() };
    serde_json::from_slice(&bytes).unwrap_or_else(|error| {
        tracing::warn!(%error, "what was spent beside the ledger cannot be read");
        Vec::new()
    })
}
