/**
 * What is written in the box: kept in Rust soon after it rests, and at once when the box goes away.
 */
import { useEffect, useRef, useState } from 'react';
import { useBackend } from '../ipc';
import type { ContentPart, Draft, SessionView } from '../ipc/bindings';
import { textOf } from '../state/excerpt';

/** How long words rest before they are kept and counted, in ms. */
const rest = 250;

export function useDraft({ session, draft: kept }: SessionView) {
  const { commands } = useBackend();
  const [draft, setDraft] = useState(kept);
  const [rested, setRested] = useState(draft);
  const saved = useRef(draft);

  // A message that could not be answered comes back into the box, unless something else is there.
  const [returned, setReturned] = useState(kept);
  if (returned !== kept) {
    setReturned(kept);
    if (isEmpty(draft)) setDraft(kept);
  }

  useEffect(() => {
    const save = () => {
      if (saved.current === draft) return;
      saved.current = draft;
      void commands.saveDraft(session.id, draft);
    };
    const timer = setTimeout(() => {
      setRested(draft);
      save();
    }, rest);
    window.addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', save);
    };
  }, [draft, session.id, commands]);

  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  useEffect(
    () => () => {
      if (saved.current !== latest.current) void commands.saveDraft(session.id, latest.current);
    },
    [session.id, commands],
  );

  /** Changes the box and what is kept of it at once: what was there does not come back. */
  const keep = async (changed: Draft) => {
    setDraft(changed);
    saved.current = changed;
    await commands.saveDraft(session.id, changed);
  };
  return { draft, setDraft, keep, rested };
}

export const emptyDraft: Draft = { text: '', attachments: [] };
export const isEmpty = ({ text, attachments }: Draft) =>
  text.trim() === '' && attachments.length === 0;

/** What was written before, above what is written now. */
export const joined = (before: readonly ContentPart[], now: Draft): Draft => ({
  text: [textOf(before), now.text].filter((words) => words.trim() !== '').join('\n\n'),
  attachments: [...before.filter(({ type }) => type !== 'text'), ...now.attachments],
});
