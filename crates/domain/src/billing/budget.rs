//! Budgets: limits on what the calls of a period may cost.
//!
//! Not here: what is spent (`store`), when a budget warns or stops (`context::cost::budget`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::generation::CallPurpose;
use crate::ids::SessionId;
use crate::money::{CURRENCY_PATTERN, Currency, DECIMAL_PATTERN, DECIMALS, Money, parse_decimal};

/// A budget as the user set it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Budget {
    /// The calls that count together.
    pub scope: BudgetScope,
    /// The amount that these calls may take.
    pub limit: BudgetLimit,
    /// Percent of the limit at which the user is warned.
    #[schemars(range(min = 1, max = 99))]
    pub warn_at: u32,
}

/// The calls that a budget counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum BudgetScope {
    /// The calls of one session.
    Session,
    /// The calls of one day, by this machine's clock.
    Day,
    /// The calls of one month, by this machine's clock.
    Month,
}

/// The limit of a budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BudgetLimit {
    /// An amount of one currency. Calls whose cost is unknown are counted beside it, in tokens.
    Money {
        /// A decimal above 0, as the user typed it.
        #[schemars(regex(pattern = DECIMAL_PATTERN))]
        amount: String,
        /// An ISO 4217 code.
        #[schemars(regex(pattern = CURRENCY_PATTERN))]
        currency: String,
        /// Tokens that calls of unknown cost may take.
        #[schemars(range(min = 1))]
        unpriced_tokens: u64,
    },
    /// Tokens of every call, whatever it costs.
    Tokens {
        /// The number of tokens.
        #[schemars(range(min = 1))]
        tokens: u64,
    },
}

/// A number with the unit that it counts. Amounts of two units are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum BudgetAmount {
    /// Known costs of one currency.
    Money {
        /// The sum of the known costs.
        money: Money,
    },
    /// Tokens of prompts and answers.
    Tokens {
        /// The number of tokens, cached ones included.
        tokens: u64,
    },
    /// Tokens of the calls whose cost is unknown.
    UnpricedTokens {
        /// The number of tokens, cached ones included.
        tokens: u64,
    },
}

/// The session, day or month whose calls are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BudgetPeriod {
    /// A session, named by its id and its creation: a restored database may give the id to another session.
    Session {
        /// The id of the session.
        session: SessionId,
        /// When the session was created, in milliseconds since the epoch.
        created_at: i64,
    },
    /// A day.
    Day {
        /// As `YYYY-MM-DD`.
        day: String,
    },
    /// A month.
    Month {
        /// As `YYYY-MM`.
        month: String,
    },
}

/// The use of one limit of a budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BudgetGauge {
    /// Spent so far.
    pub spent: BudgetAmount,
    /// The limit by the settings.
    pub limit: BudgetAmount,
    /// The amount from which each further call is asked about: the limit, or a higher amount that the user
    /// agreed to.
    pub stop: BudgetAmount,
    /// The distance to the stop, as a level.
    pub level: BudgetLevel,
}

/// The distance of a budget to its stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BudgetLevel {
    /// Below the share at which the user is warned.
    Within,
    /// At that share or above it.
    Warning,
    /// At the stop or beyond it.
    Exceeded,
}

/// The reason that a call did not leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BudgetStop {
    /// The period whose budget is used up.
    pub period: BudgetPeriod,
    /// The limit that is exceeded.
    pub gauge: BudgetGauge,
    /// True if more was spent than is known.
    pub is_floor: bool,
    /// The purpose of the call.
    pub purpose: CallPurpose,
    /// The most that calls under way may cost, where that with what was spent reaches the stop; `None`: what
    /// was spent alone reaches it.
    pub under_way: Option<BudgetAmount>,
}

/// The user's answer when a budget is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BudgetAllowance {
    /// One request may leave.
    Once,
    /// The limit counts anew from the amount that was spent and under way when the question was asked.
    Another,
}

impl Budget {
    /// True if each limit is a number above 0.
    pub fn is_usable(&self) -> bool {
        let limits = self.limits();
        !limits.is_empty() && limits.iter().all(|limit| limit.number() > 0)
    }

    /// The limits in this setting. Empty if the amount is not a decimal number or the currency is not a
    /// currency code.
    pub fn limits(&self) -> Vec<BudgetAmount> {
        match &self.limit {
            BudgetLimit::Tokens { tokens } => vec![BudgetAmount::Tokens { tokens: *tokens }],
            BudgetLimit::Money { amount, currency, unpriced_tokens } => {
                let amount = parse_decimal(amount, DECIMALS);
                let Some((amount, currency)) = amount.zip(Currency::parse(currency)) else {
                    return Vec::new();
                };
                let money = Money { amount, currency };
                let tokens = *unpriced_tokens;
                vec![BudgetAmount::Money { money }, BudgetAmount::UnpricedTokens { tokens }]
            }
        }
    }
}

impl BudgetAmount {
    /// The number without its unit: 10⁻¹² of the currency, or tokens.
    pub fn number(&self) -> u64 {
        match self {
            Self::Money { money } => money.amount,
            Self::Tokens { tokens } | Self::UnpricedTokens { tokens } => *tokens,
        }
    }

    /// Another number of the same unit.
    pub fn with_number(&self, number: u64) -> Self {
        match self {
            Self::Money { money } => {
                Self::Money { money: Money { amount: number, currency: money.currency.clone() } }
            }
            Self::Tokens { .. } => Self::Tokens { tokens: number },
            Self::UnpricedTokens { .. } => Self::UnpricedTokens { tokens: number },
        }
    }
}
