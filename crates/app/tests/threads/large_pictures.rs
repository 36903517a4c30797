//! Pictures that providers refuse as they are: kept and written out as they came, and counted and sent as
//! a reduced copy.

use std::fs;
use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::{ImageFormat, RgbImage};
use serde_json::json;
use skein_context::tokens::message_tokens::MESSAGE_OVERHEAD;
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::{Error, FileError};
use skein_domain::message::image_scaling::MOST_BYTES;

use crate::scenario::{Say, Scenario, deaf, under};

/// A model that sees, and counts pictures by their size.
async fn seeing() -> Scenario {
    let given = under("summarize").await;
    let models = json!([{ "id": "gemini-2.5-flash", "window": 1_000_000 }]);
    given
        .configured(|settings| {
            settings["defaultModel"]["model"] = json!("gemini-2.5-flash");
            settings["providers"][0]["models"] = models;
        })
        .await
}

/// A photo of twelve million pixels, as fine as leaves are.
fn photo() -> Vec<u8> {
    let mut state = 1_u32;
    let mut noise = vec![0; 4_000 * 3_000 * 3];
    for value in &mut noise {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *value = (state >> 24) as u8;
    }
    let picture = RgbImage::from_raw(4_000, 3_000, noise).unwrap();
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 60).encode_image(&picture).unwrap();
    bytes
}

/// The picture of the last request: its address up to the data, and its bytes.
fn sent(given: &Scenario) -> (String, Vec<u8>) {
    let asked = given.model.asked().pop().unwrap();
    let parts =
        asked["messages"].as_array().unwrap().iter().filter_map(|it| it["content"].as_array());
    let addresses = parts.flatten().filter_map(|part| part["image_url"]["url"].as_str());
    let [address] = addresses.collect::<Vec<_>>()[..] else { panic!("{:.400}", asked.to_string()) };
    let (kind, data) = address.split_once(',').unwrap();
    (kind.to_owned(), STANDARD.decode(data).unwrap())
}

fn size(bytes: &[u8]) -> (usize, usize) {
    let size = imagesize::blob_size(bytes).unwrap();
    (size.width, size.height)
}

async fn shows(given: &Scenario, attached: &Attachment) {
    given.model.says([Say::words("A loom.")]);
    let draft = Draft { text: "What is it?".into(), attachments: vec![attached.clone()] };
    given.app.turns.run(given.session, draft, deaf()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_photo_that_is_too_large_is_sent_smaller_each_time_and_written_out_as_it_was() {
    let given = seeing().await;
    let bytes = photo();
    assert!(bytes.len() > MOST_BYTES as usize, "{}", bytes.len());
    let attached =
        given.app.attachments.attach_bytes("IMG_0042.jpg".into(), bytes.clone()).await.unwrap();
    let Attachment::Image(picture) = &attached else { panic!("{attached:?}") };
    assert_eq!((picture.width, picture.height), (Some(4_000), Some(3_000)));
    assert_eq!(picture.bytes as usize, bytes.len());

    // Three tiles by two at 258 tokens each, where all of it were sixteen.
    let draft = Draft { text: String::new(), attachments: vec![attached.clone()] };
    let counted = given.app.context.draft_size(given.session, draft.clone()).await.unwrap().tokens;
    assert!((6 * 258..7 * 258).contains(&counted), "{counted}");
    let seen = given.app.context.seen_by_model(given.session, draft).await.unwrap();
    let line = seen.lines.last().unwrap();
    assert_eq!(line.tokens, counted + MESSAGE_OVERHEAD);

    shows(&given, &attached).await;
    let (kind, first) = sent(&given);
    assert_eq!((kind.as_str(), size(&first)), ("data:image/jpeg;base64", (2_000, 1_500)));
    assert!(first.len() <= MOST_BYTES as usize, "{}", first.len());

    // One that an older Skein stored has no copy yet: it is the same.
    let raw = rusqlite::Connection::open(given.folder.path().join("skein.db")).unwrap();
    assert_eq!(raw.execute("DELETE FROM copies", []).unwrap(), 1);
    given.model.says([Say::words("Still a loom.")]);
    given.send("And now?").await.unwrap();
    assert_eq!(sent(&given).1, first);
    let kept = |row: &rusqlite::Row| row.get::<_, i64>(0);
    assert_eq!(raw.query_row("SELECT count(*) FROM copies", [], kept).unwrap(), 1);

    let path = given.folder.path().join("out.jpg");
    given.app.exports.save_attachment(picture.blob, path.to_string_lossy().into()).await.unwrap();
    assert_eq!(fs::read(path).unwrap(), bytes);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_there_are_many_pictures_a_long_one_is_sent_smaller() {
    let given = seeing().await;
    let mut attached = Vec::new();
    for at in 0..21 {
        let mut bytes = Cursor::new(Vec::new());
        RgbImage::new(2_400 + at, 30).write_to(&mut bytes, ImageFormat::Png).unwrap();
        let name = format!("{at}.png");
        attached.push(given.app.attachments.attach_bytes(name, bytes.into_inner()).await.unwrap());
    }
    let last = attached.split_off(20);
    let mut longest = Vec::new();
    for attachments in [attached, last] {
        given.model.says([Say::words("A loom.")]);
        let draft = Draft { text: "What is it?".into(), attachments };
        given.app.turns.run(given.session, draft, deaf()).await.unwrap();
        let asked = given.model.asked().pop().unwrap();
        let messages = asked["messages"].as_array().unwrap().iter();
        let parts = messages.filter_map(|it| it["content"].as_array()).flatten();
        let addresses = parts.filter_map(|part| part["image_url"]["url"].as_str());
        let widths = addresses
            .map(|it| size(&STANDARD.decode(it.split_once(',').unwrap().1).unwrap()).0)
            .collect::<Vec<_>>();
        longest.push((widths.len(), widths.into_iter().max()));
    }
    assert_eq!(longest, [(20, Some(2_419)), (21, Some(2_000))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_of_a_format_that_no_provider_takes_is_sent_as_one_that_each_takes() {
    let given = seeing().await;
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::new(30, 20).write_to(&mut bytes, ImageFormat::Bmp).unwrap();
    let bytes = bytes.into_inner();
    let attached =
        given.app.attachments.attach_bytes("old.bmp".into(), bytes.clone()).await.unwrap();
    shows(&given, &attached).await;
    let (kind, copy) = sent(&given);
    assert_eq!((kind.as_str(), size(&copy)), ("data:image/jpeg;base64", (30, 20)));
    assert_eq!(given.app.attachments.picture(attached.blob()).await.unwrap(), copy);
    let path = given.folder.path().join("out.bmp");
    given
        .app
        .exports
        .save_attachment(attached.blob(), path.to_string_lossy().into())
        .await
        .unwrap();
    assert_eq!(fs::read(path).unwrap(), bytes);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_can_be_sent_neither_way_is_refused_before_it_is_sent() {
    let given = seeing().await;
    let wide = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x23\x28\0\0\0\x01\x08\x06\0\0\0";
    let refused = given.app.attachments.attach_bytes("wide.png".into(), wide.to_vec()).await;
    let name = "wide.png".to_owned();
    assert_eq!(refused, Err(Error::BadFile { name, fault: FileError::OtherPicture {} }));
}
