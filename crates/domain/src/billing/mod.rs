//! Money: exact amounts, price lists, and the cost of a call.

pub mod cost;
pub mod money;
pub mod price;
