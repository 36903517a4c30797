//! Ideographs that look like radicals. Some fonts draw both with one glyph, and PDF writers then
//! store the radical: the page looks right, but a search does not find the word.

/// Ideographs from U+2E80 on; a dot where there is none (`EquivalentUnifiedIdeograph.txt` of
/// Unicode).
const SUPPLEMENT: &str = "\
    .厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵.旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示\
    礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦\
    页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟";
/// Ideographs from U+2F00 on, by their compatibility decomposition.
const KANGXI: &str = "\
    一丨丶丿乙亅二亠人儿入八冂冖冫几凵刀力勹匕匚匸十卜卩厂厶又口囗土士夂夊夕大女子宀寸小尢尸屮\
    山巛工己巾干幺广廴廾弋弓彐彡彳心戈戶手支攴文斗斤方无日曰月木欠止歹殳毋比毛氏气水火爪父爻爿\
    片牙牛犬玄玉瓜瓦甘生用田疋疒癶白皮皿目矛矢石示禸禾穴立竹米糸缶网羊羽老而耒耳聿肉臣自至臼舌\
    舛舟艮色艸虍虫血行衣襾見角言谷豆豕豸貝赤走足身車辛辰辵邑酉釆里金長門阜隶隹雨靑非面革韋韭音\
    頁風飛食首香馬骨高髟鬥鬯鬲鬼魚鳥鹵鹿麥麻黃黍黑黹黽鼎鼓鼠鼻齊齒龍龜龠";

/// The ideograph of a radical; `None` for other characters.
pub(super) fn ideograph(radical: char) -> Option<char> {
    let (first, all) = match radical {
        '\u{2e80}'..='\u{2eff}' => ('\u{2e80}', SUPPLEMENT),
        '\u{2f00}'..='\u{2fdf}' => ('\u{2f00}', KANGXI),
        _ => return None,
    };
    let place = u32::from(radical).checked_sub(u32::from(first))?;
    all.chars().nth(place as usize).filter(|found| *found != '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_radical_is_its_ideograph() {
        for (radical, expected) in [
            ('⺀', None),
            ('⺁', Some('厂')),
            ('⺟', Some('母')),
            ('⻅', Some('见')),
            ('⻓', Some('长')),
            ('⻳', Some('龟')),
            ('\u{2eff}', None),
            ('⼀', Some('一')),
            ('⽂', Some('文')),
            ('⾯', Some('面')),
            ('⿕', Some('龠')),
            ('\u{2fdf}', None),
            ('文', None),
        ] {
            assert_eq!(ideograph(radical), expected, "{radical}");
        }
    }
}
