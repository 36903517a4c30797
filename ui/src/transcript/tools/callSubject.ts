/**
 * What a call touches, in a few of the words the model called it with. They are text and nothing else.
 */
import { excerpt } from '../../state/text/excerpt';

/** So many letters are told beside the tool. */
const maxSubjectChars = 60;

/** What is called so says what a call is of, whatever stands before it. */
const subjectArgs = ['command', 'url', 'pattern', 'query', 'path'];

/** null: nothing in them is told in words, or they are no JSON (yet). */
export function callSubject(args: string): string | null {
  const given = parseArgs(args);
  const named = subjectArgs.map((name) => given.get(name));
  const subject = [...named, ...given.values()].find(isTelling);
  return subject === undefined ? null : excerpt(subject, maxSubjectChars);
}

function parseArgs(args: string): Map<string, unknown> {
  try {
    const given: unknown = JSON.parse(args);
    return new Map(typeof given === 'object' && given !== null ? Object.entries(given) : []);
  } catch {
    return new Map();
  }
}

/** The folder itself, a dot, tells nothing. */
const isTelling = (value: unknown): value is string =>
  typeof value === 'string' && /[\p{L}\p{N}]/u.test(value);
