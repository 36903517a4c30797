/**
 * The open disclosures of a transcript. The state outlives the rows, which unmount when they leave the
 * view.
 */
import { createContext } from 'react';
import { createStore } from '../../kit/hooks/createStore';
import type { Message, ToolState } from '../../ipc/bindings';
import { toolCallKey } from '../../state/turn/toolCallKey';
import { messageText } from './messageText';
import { containsText } from '../scroll/textRanges';

export class DisclosureState {
  /** The keys of the open disclosures. */
  readonly openKeys = createStore<ReadonlySet<string>>(new Set());

  set(key: string, open: boolean) {
    const others = [...this.openKeys.get()].filter((other) => other !== key);
    this.openKeys.set(new Set(open ? [...others, key] : others));
  }
}

export const DisclosureStateContext = createContext(new DisclosureState());

export const summaryDisclosureKey = (message: Message) => `summary-${message.id}`;

/** The keys of the disclosures that hide a match: a search opens them. */
export function disclosuresContaining(message: Message, words: readonly string[]): string[] {
  if (message.kind.type === 'summary') {
    return containsText(messageText(message), words) ? [summaryDisclosureKey(message)] : [];
  }
  return message.parts.flatMap((part) => {
    if (part.type !== 'tool') return [];
    const { callId, args, state } = part.call;
    return containsText(`${args}\n${resultOf(state)}`, words)
      ? [toolCallKey(message.id, callId)]
      : [];
  });
}

/** The names of attached files that contain the words. */
export const filesContaining = (message: Message, words: readonly string[]): string[] =>
  message.parts.flatMap((part) =>
    part.type === 'file' && containsText(part.text, words) ? [part.name] : [],
  );

function resultOf(state: ToolState): string {
  if (state.type === 'done') return state.output.text;
  return state.type === 'failed' ? state.message : '';
}
