/**
 * The subject of a tool call: a short text from its arguments.
 */
import { excerpt } from '../../state/text/excerpt';

/** The maximum length, in characters. */
const maxSubjectChars = 60;

/** Arguments of these names are the subject, wherever they stand. */
const subjectArgs = ['command', 'url', 'pattern', 'query', 'path'];

/** null: no argument is a short text, or they are no JSON (yet). */
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

/** A dot, the workspace folder itself, is no subject. */
const isTelling = (value: unknown): value is string =>
  typeof value === 'string' && /[\p{L}\p{N}]/u.test(value);
