//! Number formats of lists: Roman, letters, Chinese and others.

/// A number in a format of Word (ECMA-376, 17.18.59). Rare formats are written in digits.
pub(super) fn format_number(number: u32, spelling: &str) -> String {
    let other = match spelling {
        "none" => Some(String::new()),
        "decimalZero" => Some(format!("{number:02}")),
        "upperRoman" => roman(number),
        "lowerRoman" => roman(number).map(|roman| roman.to_ascii_lowercase()),
        "upperLetter" => letters(number),
        "lowerLetter" => letters(number).map(|letters| letters.to_ascii_lowercase()),
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => {
            one_of("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳", number)
        }
        "ideographTraditional" => one_of("甲乙丙丁戊己庚辛壬癸", number),
        "ideographZodiac" => one_of("子丑寅卯辰巳午未申酉戌亥", number),
        "chineseCounting"
        | "chineseCountingThousand"
        | "taiwaneseCounting"
        | "taiwaneseCountingThousand"
        | "japaneseCounting" => chinese_number(number, "零一二三四五六七八九", "十百千万"),
        "chineseLegalSimplified" => chinese_number(number, "零壹贰叁肆伍陆柒捌玖", "拾佰仟万"),
        "ideographLegalTraditional" => chinese_number(number, "零壹貳參肆伍陸柒捌玖", "拾佰仟萬"),
        _ => None,
    };
    other.unwrap_or_else(|| number.to_string())
}

/// The symbol of a number, from 1; `None` if the format has none.
fn one_of(signs: &str, number: u32) -> Option<String> {
    signs.chars().nth(number.checked_sub(1)? as usize).map(String::from)
}

/// `A` to `Z`, then `AA`, `BB`.
fn letters(number: u32) -> Option<String> {
    let place = number.checked_sub(1)?;
    let letter = char::from(b'A' + u8::try_from(place % 26).ok()?);
    let times = place / 26 + 1;
    (times <= 10).then(|| String::from(letter).repeat(times as usize))
}

fn roman(number: u32) -> Option<String> {
    const SIGNS: [(u32, &str); 13] = [
        (1_000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if !(1..4_000).contains(&number) {
        return None;
    }
    let mut left = number;
    let mut roman = String::new();
    for (worth, sign) in SIGNS {
        while left >= worth {
            left -= worth;
            roman.push_str(sign);
        }
    }
    Some(roman)
}

/// A number as it is read in Chinese, up to 99,999. `units` are ten, hundred, thousand and ten
/// thousand.
fn chinese_number(number: u32, digits: &str, units: &str) -> Option<String> {
    let digit = |worth: u32| digits.chars().nth(worth as usize);
    if number == 0 || number > 99_999 {
        return (number == 0).then(|| digit(0).map(String::from))?;
    }
    let mut counted = String::new();
    let mut passed_zero = false;
    for (place, worth) in [10_000, 1_000, 100, 10, 1].into_iter().enumerate() {
        let here = number / worth % 10;
        if here == 0 {
            passed_zero = !counted.is_empty();
            continue;
        }
        if std::mem::take(&mut passed_zero) {
            counted.extend(digit(0));
        }
        // Ten is written without the digit one.
        if !(here == 1 && worth == 10 && counted.is_empty()) {
            counted.extend(digit(here));
        }
        counted.extend(3_usize.checked_sub(place).and_then(|unit| units.chars().nth(unit)));
    }
    Some(counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_as_lists_do() {
        for (number, spelling, expected) in [
            (7, "decimal", "7"),
            (7, "decimalZero", "07"),
            (7, "none", ""),
            (1_994, "upperRoman", "MCMXCIV"),
            (4, "lowerRoman", "iv"),
            (0, "upperRoman", "0"),
            (26, "upperLetter", "Z"),
            (28, "lowerLetter", "bb"),
            (u32::MAX, "lowerLetter", "4294967295"),
            (3, "decimalEnclosedCircleChinese", "③"),
            (21, "decimalEnclosedCircle", "21"),
            (2, "ideographTraditional", "乙"),
            (10, "chineseCounting", "十"),
            (21, "chineseCountingThousand", "二十一"),
            (105, "chineseCountingThousand", "一百零五"),
            (1_010, "japaneseCounting", "一千零一十"),
            (20_300, "taiwaneseCounting", "二万零三百"),
            (100_000, "chineseCounting", "100000"),
            (0, "chineseCounting", "零"),
            (12, "chineseLegalSimplified", "拾贰"),
            (5, "hebrew1", "5"),
        ] {
            assert_eq!(format_number(number, spelling), expected, "{number} {spelling}");
        }
    }
}
