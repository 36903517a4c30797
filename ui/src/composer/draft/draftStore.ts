/**
 * The draft of one session, also while the session is not shown. Rust stores the same draft. Writes to Rust
 * run one after the other, so that an older draft never overwrites a newer one.
 */
import type { ContentPart, Draft, QueuedMessage, WaitingId } from '../../ipc/bindings';
import { createStore, type Store } from '../../kit/hooks/createStore';
import { attachmentsFromParts } from '../../state/app/draftAttachments';
import { textOfParts } from '../../state/text/excerpt';

/** Stores a draft; a queued message that was merged into it is deleted in the same step. */
type SaveDraft = (draft: Draft, merged: WaitingId | null) => Promise<unknown>;

type DraftState = {
  draft: Draft;
  /** A message that has left the composer and waits for its attachments; saved together with the draft. */
  pending: Draft | null;
  /** Messages that Rust has not stored yet. */
  sending: readonly Draft[];
};

export class DraftStore {
  /** Only this class sets it. */
  readonly state: Store<DraftState>;
  /** The pending message and the draft as one: the value that is saved. */
  #combined: Draft;
  #saved: Draft;
  /** The last write that was started; null: it has ended. */
  #lastWrite: Promise<unknown> | null = null;
  readonly #save: SaveDraft;

  constructor(saved: Draft, save: SaveDraft) {
    this.state = createStore<DraftState>({ draft: saved, pending: null, sending: [] });
    this.#combined = saved;
    this.#saved = saved;
    this.#save = save;
  }

  get draft(): Draft {
    return this.state.get().draft;
  }

  get pending(): Draft | null {
    return this.state.get().pending;
  }

  get sending(): readonly Draft[] {
    return this.state.get().sending;
  }

  /**
   * Takes the draft, or the message that waited for its attachments, and sends it. `work` stores it in Rust;
   * if it throws or resolves to false, the message goes back into the draft.
   */
  async send(from: 'draft' | 'pending', work: (message: Draft) => Promise<boolean>): Promise<void> {
    const message = this.state.get()[from];
    if (from === 'draft') this.#set(emptyDraft, this.pending);
    else this.#set(this.draft, null);
    if (!message || isEmptyDraft(message)) return;
    this.#setSending([...this.sending, message]);
    let stored = false;
    try {
      stored = await this.#enqueue(() => {
        // Rust empties the stored draft; the next save stores what was written meanwhile.
        this.#saved = emptyDraft;
        return work(message);
      });
    } finally {
      this.#setSending(this.sending.filter((other) => other !== message));
      if (!stored) {
        this.change((current) => mergeDrafts(message, current));
        void this.save();
      }
    }
  }

  #setSending(sending: readonly Draft[]) {
    this.state.set({ ...this.state.get(), sending });
  }

  change(next: (draft: Draft) => Draft) {
    this.#set(next(this.draft), this.pending);
  }

  /** Moves the draft to the pending message. */
  holdForSend() {
    this.#set(emptyDraft, this.draft);
  }

  updatePending(next: (pending: Draft) => Draft) {
    if (this.pending) this.#set(this.draft, next(this.pending));
  }

  /** Moves the pending message back into the draft. */
  restorePending() {
    if (this.pending) this.#set(mergeDrafts(this.pending, this.draft), null);
  }

  #set(draft: Draft, pending: Draft | null) {
    this.#combined = pending ? mergeDrafts(pending, draft) : draft;
    this.state.set({ ...this.state.get(), draft, pending });
  }

  /** Saves the draft if it has changed; at once if no other write runs. */
  save(): Promise<void> {
    return this.#enqueue(async () => {
      const combined = this.#combined;
      if (combined === this.#saved) return;
      await this.#save(combined, null);
      this.#saved = combined;
    });
  }

  /** Moves a queued message into the draft in one step: it is never in both, nor in neither. */
  mergeQueued({ id, parts }: QueuedMessage): Promise<void> {
    return this.#enqueue(async () => {
      const before = draftFromParts(parts);
      await this.#save(mergeDrafts(before, this.#combined), id);
      this.change((draft) => mergeDrafts(before, draft));
    });
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const write = this.#lastWrite ? this.#lastWrite.then(work, work) : work();
    this.#lastWrite = write;
    const done = () => {
      if (this.#lastWrite === write) this.#lastWrite = null;
    };
    write.then(done, done);
    return write;
  }
}

const emptyDraft: Draft = { text: '', attachments: [] };
export const isEmptyDraft = ({ text, attachments }: Draft) =>
  text.trim() === '' && attachments.length === 0;

/** A stored message as a draft. */
const draftFromParts = (parts: readonly ContentPart[]): Draft => ({
  text: textOfParts(parts),
  attachments: attachmentsFromParts(parts),
});

/** The older text stands above the newer one. */
const mergeDrafts = (before: Draft, now: Draft): Draft => ({
  text: [before.text, now.text].filter((one) => one.trim() !== '').join('\n\n'),
  attachments: [...before.attachments, ...now.attachments],
});
