use std::collections::HashSet;

use super::*;

#[test]
fn every_row_has_an_id_of_its_own() {
    let ids: HashSet<_> = ROWS.iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), ROWS.len());
    assert!(ROWS.iter().all(|row| find_provider(row.id) == Some(row)));
}

#[test]
fn where_a_key_is_needed_and_the_address_known_the_page_that_makes_one_is_known() {
    for row in ROWS {
        let wanted = !row.keyless && !row.base_url.is_empty();
        assert_eq!(row.key_page.is_some(), wanted, "{}", row.id);
        assert!(row.key_page.is_none_or(|page| page.starts_with("https://")), "{}", row.id);
    }
}

#[test]
fn p02_no_default_model_is_an_old_small_one() {
    // These families name the window in the model id.
    for row in ROWS {
        let small = ["-8k", "-4k", "-16k", "gpt-3.5", "gpt-4-0", "moonshot-v1"];
        let model = row.default_model.unwrap_or_default();
        assert!(!small.iter().any(|part| model.contains(part)), "{model}");
    }
}

#[test]
fn a_remote_row_is_called_over_https_and_a_local_one_by_its_loopback_address() {
    for row in ROWS.iter().filter(|row| !row.base_url.is_empty()) {
        let local = row.base_url.starts_with("http://127.0.0.1:");
        assert!(local || row.base_url.starts_with("https://"), "{}", row.base_url);
        assert_eq!(local, row.keyless, "{}", row.id);
    }
}
