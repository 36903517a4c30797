use super::*;

fn said(voice: Voice, texts: &[&str]) -> Vec<Anchor> {
    let sources: Vec<AnchorSource<'_>> = (1i64..)
        .zip(texts)
        .map(|(id, text)| AnchorSource { message: MessageId(id), voice, text })
        .collect();
    extract(&sources)
}

#[test]
fn the_newest_value_holds_and_says_what_it_was() {
    let anchors = said(
        Voice::Person,
        &[
            "By the way, the staging database listens on port 5433, which surprised everyone.",
            "Correction: the staging database now listens on port 6001.",
        ],
    );
    let newest = anchors.iter().find(|anchor| anchor.message == MessageId(2));
    let oldest = anchors.iter().find(|anchor| anchor.message == MessageId(1));
    assert_eq!(newest.and_then(|anchor| anchor.was.as_deref()), Some("5433"));
    assert_eq!(oldest.and_then(|anchor| anchor.replaced_by), Some(MessageId(2)));
}
