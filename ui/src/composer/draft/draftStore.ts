/**
 * What is written in one session's box, also while that is out of sight. A draft is the box's own, in
 * Rust as here: what else is to stand in it waits there until it is taken in. What changes what Rust
 * keeps is asked for one after the other, so that nothing older overwrites it.
 */
import type { ContentPart, Draft, QueuedMessage, WaitingId } from '../../ipc/bindings';
import { attachmentsFromParts } from '../../state/app/draftAttachments';
import { textOfParts } from '../../state/text/excerpt';

/** Has a draft kept; what it has taken in waits no longer. */
type SaveDraft = (draft: Draft, taken: WaitingId | null) => Promise<unknown>;

export class DraftStore {
  #now: Draft;
  /** What has left the box and is not sent yet: kept with what is written in it. */
  #leaving: Draft | null = null;
  /** What is on its way to the store. */
  #sending: readonly Draft[] = [];
  #whole: Draft;
  #kept: Draft;
  /** What was asked for last and is not done; null: nothing. */
  #underWay: Promise<unknown> | null = null;
  readonly #keep: SaveDraft;
  readonly #watchers = new Set<() => void>();

  constructor(kept: Draft, keep: SaveDraft) {
    this.#now = kept;
    this.#whole = kept;
    this.#kept = kept;
    this.#keep = keep;
  }

  get now(): Draft {
    return this.#now;
  }

  get held(): Draft | null {
    return this.#leaving;
  }

  get sending(): readonly Draft[] {
    return this.#sending;
  }

  /** A message is on its way, until what is returned is called. */
  trackSending(message: Draft): () => void {
    this.#setSending([...this.#sending, message]);
    return () => {
      this.#setSending(this.#sending.filter((other) => other !== message));
    };
  }

  #setSending(sending: readonly Draft[]) {
    this.#sending = sending;
    for (const watcher of this.#watchers) watcher();
  }

  change(next: (now: Draft) => Draft) {
    this.#set(next(this.#now), this.#leaving);
  }

  /** What is written leaves the box, and waits. */
  holdForSend() {
    this.#set(emptyDraft, this.#now);
  }

  /** Changes what waits. */
  updateHeld(next: (leaving: Draft) => Draft) {
    if (this.#leaving) this.#set(this.#now, next(this.#leaving));
  }

  /** What waits is in the box again. */
  returnHeld() {
    if (this.#leaving) this.#set(mergeDrafts(this.#leaving, this.#now), null);
  }

  /** Hands out what waits, to be sent. */
  takeHeld(): Draft | null {
    const leaving = this.#leaving;
    this.#set(this.#now, null);
    return leaving;
  }

  #set(now: Draft, leaving: Draft | null) {
    this.#now = now;
    this.#leaving = leaving;
    this.#whole = leaving ? mergeDrafts(leaving, now) : now;
    for (const watcher of this.#watchers) watcher();
  }

  /** Has it kept where it has changed; at once where nothing else is under way. */
  save(): Promise<void> {
    return this.#inTurn(async () => {
      const whole = this.#whole;
      if (whole === this.#kept) return;
      await this.#keep(whole, null);
      this.#kept = whole;
    });
  }

  /** A message that waits joins it: in one step, so that it is never in both places nor in neither. */
  mergeQueued({ id, parts }: QueuedMessage): Promise<void> {
    return this.#inTurn(async () => {
      const before = draftFromParts(parts);
      await this.#keep(mergeDrafts(before, this.#whole), id);
      this.change((now) => mergeDrafts(before, now));
    });
  }

  /** Does what empties the draft that Rust keeps; what is written by then is kept after it. */
  clearDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => {
      this.#kept = emptyDraft;
      return work();
    });
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  };

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#underWay ? this.#underWay.then(work, work) : work();
    this.#underWay = mine;
    const done = () => {
      if (this.#underWay === mine) this.#underWay = null;
    };
    mine.then(done, done);
    return mine;
  }
}

export const emptyDraft: Draft = { text: '', attachments: [] };
export const isEmptyDraft = ({ text, attachments }: Draft) =>
  text.trim() === '' && attachments.length === 0;

/** A message as it stands in the box. */
const draftFromParts = (parts: readonly ContentPart[]): Draft => ({
  text: textOfParts(parts),
  attachments: attachmentsFromParts(parts),
});

/** What was written before, above what is written now. */
export const mergeDrafts = (before: Draft, now: Draft): Draft => ({
  text: [before.text, now.text].filter((words) => words.trim() !== '').join('\n\n'),
  attachments: [...before.attachments, ...now.attachments],
});
