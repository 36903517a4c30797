/**
 * Numbers, shares, sizes and dates as the interface writes them (interface.md §6).
 */
import type { LanguageCode } from './dictionaries';
import { localeOf } from './translate';

/** Tokens in short: as they are below 1,000, then 1.2k, 128k, 999.9k, 1.0m. */
function shortTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const thousands = Math.round(tokens / 100) / 10;
  if (thousands < 1000) return `${String(thousands)}k`;
  return `${(Math.round(tokens / 100_000) / 10).toFixed(1)}m`;
}

export function createFormats(language: LanguageCode) {
  const locale = localeOf[language];
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const tenths = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  // A unit's list would stand without a mark between its words in Chinese.
  const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' });
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' });
  const dayOfYear = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  });
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const bytes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'].map(
    (unit) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        // The short form of a byte is "byte", however many they are.
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: 1,
      }),
  );

  // Made once for a currency and its digits: a list of models has hundreds of prices.
  const currencies = new Map<string, Intl.NumberFormat>();
  const currency = (code: string, least: number, most: number) => {
    const key = `${code} ${String(least)} ${String(most)}`;
    const known = currencies.get(key);
    const format =
      known ??
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency: code,
        minimumFractionDigits: least,
        maximumFractionDigits: most,
      });
    currencies.set(key, format);
    return format;
  };

  return {
    /** An amount with two decimals, and up to four below one: $1.20, $0.0034. */
    money: (value: number, code: string) => currency(code, 2, value < 1 ? 4 : 2).format(value),
    /** A price with as many decimals as it has: $2, $0.25, $0.0375. */
    price: (value: number, code: string) =>
      currency(code, Number.isInteger(value) ? 0 : 2, 6).format(value),
    /** Tokens in short, for labels. Their exact number belongs into a tooltip. */
    tokens: shortTokens,
    /** Every digit, grouped: 45,230. */
    exact: (value: number) => whole.format(value),
    /** A share of one with one decimal: 0.353 → 35.3%. */
    percent: (share: number) => percent.format(share),
    /** A number with one decimal: 4.2. */
    tenths: (value: number) => tenths.format(value),
    /** Names after one another: a, b, c. */
    list: (names: readonly string[]) => list.format(names),
    /** Bytes in the largest unit that leaves at least one. */
    size: (count: number) => {
      const step = count < 1 ? 0 : Math.min(bytes.length - 1, Math.floor(Math.log10(count) / 3));
      return bytes[step]?.format(count / 1000 ** step) ?? whole.format(count);
    },
    /** The time today, the day this year, the date otherwise; both arguments in ms since 1970. */
    when: (at: number, now: number) => {
      const then = new Date(at);
      const today = new Date(now);
      if (then.toDateString() === today.toDateString()) return time.format(then);
      return (then.getFullYear() === today.getFullYear() ? day : dayOfYear).format(then);
    },
    /** Date and time to the minute, as lists have it. */
    minute: (at: number) => minute.format(at),
    /** Date and time to the second. */
    moment: (at: number) => moment.format(at),
  };
}

export type Formats = ReturnType<typeof createFormats>;
