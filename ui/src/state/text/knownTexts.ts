/**
 * Long texts of messages that this window has: Rust names them by their length and does not send them again.
 */
import type { ContentPart, KnownText, Message } from '../../ipc/bindings';

/** The shortest text that Rust leaves out, in UTF-16 code units: `crates/app/src/known_texts.rs`. */
const minChars = 16_384;

function textOf(part: ContentPart | undefined): string | null {
  return part?.type === 'text' || part?.type === 'reasoning' || part?.type === 'file'
    ? part.text
    : null;
}

function withText(part: ContentPart, text: string): ContentPart {
  switch (part.type) {
    case 'text':
      return { ...part, text };
    case 'reasoning':
      return { ...part, text };
    case 'file':
      return { ...part, text };
    case 'image':
    case 'tool':
      return part;
  }
}

/** The long texts of these messages, as Rust is told of them. */
export const knownTexts = (messages: readonly Message[]): KnownText[] =>
  messages.flatMap((message) =>
    message.parts.flatMap((part, at) => {
      const chars = textOf(part)?.length ?? 0;
      return chars < minChars ? [] : [{ messageId: message.id, part: at, chars }];
    }),
  );

/** The message with the texts that Rust left out, taken from `held`; null: one of them is not there. */
export function withKnownTexts(
  message: Message,
  texts: readonly KnownText[],
  held: readonly Message[],
): Message | null {
  const own = texts.filter(({ messageId }) => messageId === message.id);
  if (own.length === 0) return message;
  const parts = [...message.parts];
  for (const { part: at, chars } of own) {
    const found = held
      .filter(({ id }) => id === message.id)
      .map((other) => textOf(other.parts[at]))
      .find((text) => text?.length === chars);
    const part = parts[at];
    if (part === undefined || typeof found !== 'string') return null;
    parts[at] = withText(part, found);
  }
  return { ...message, parts };
}
