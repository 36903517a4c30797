/**
 * What a call touches, in a few of the words the model called it with. They are text and nothing else.
 */
import { startOf } from '../state/excerpt';

/** So many letters are told beside the tool. */
const long = 60;

/** What is called so says what a call is of, whatever stands before it. */
const telling = ['command', 'url', 'pattern', 'query', 'path'];

/** null: nothing in them is told in words, or they are no JSON (yet). */
export function subjectOf(args: string): string | null {
  const given = read(args);
  const named = telling.map((name) => given.get(name));
  const subject = [...named, ...given.values()].find(isTold);
  return subject === undefined ? null : startOf(subject, long);
}

function read(args: string): Map<string, unknown> {
  try {
    const given: unknown = JSON.parse(args);
    return new Map(typeof given === 'object' && given !== null ? Object.entries(given) : []);
  } catch {
    return new Map();
  }
}

/** The folder itself, a dot, tells nothing. */
const isTold = (value: unknown): value is string =>
  typeof value === 'string' && /[\p{L}\p{N}]/u.test(value);
