//! Money: exact amounts, price lists, the cost of a call, and budgets.

pub mod budget;
pub mod cost;
pub mod money;
pub mod price;
