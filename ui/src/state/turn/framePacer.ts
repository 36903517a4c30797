/**
 * Runs work before a frame and keeps time for keys: a reply that arrives faster than it can be shown is shown
 * in larger steps. No work shares the frame of a key. While the user types, slow work begins right after a
 * key was painted, because then the next one is farthest away.
 */

/** The pause after a frame, as a share of what its work and its painting took. */
const pauseShare = 0.5;

/** A frame that takes longer delays keys, in ms. */
const slowFrameMs = 16;

/** After a slow frame, work counts as slow for this long, in ms: not every frame of a fast reply is slow. */
const slowForMs = 1_000;

/** The user types for this long after a key, in ms. */
const typingMs = 500;

/** While the user types, work waits at most so long for a key, in ms. */
const longestWaitMs = 250;

export class FramePacer {
  /** No work begins before this time, in ms. */
  #pausedUntil = 0;
  #slowUntil = -Infinity;
  #lastKeyAt = -Infinity;
  /** The letter of the last key is not on the screen yet. */
  #keyIsUnpainted = false;
  readonly #waiting = new Set<() => void>();

  constructor() {
    window.addEventListener('keydown', this.#noteKey, { capture: true, passive: true });
  }

  /** Runs `work` once. */
  schedule(work: () => void) {
    const begin = () => {
      if (!this.#waiting.delete(begin)) return;
      clearTimeout(timer);
      this.#run(work);
    };
    this.#waiting.add(begin);
    const beginBetweenKeys = () => {
      // The key has this frame, the work the next one.
      if (this.#keyIsUnpainted) beforeNextPaint(begin);
      else begin();
    };
    const now = performance.now();
    const waitsForKey = this.isTyping() && now < this.#slowUntil;
    const pause = Math.max(this.#pausedUntil - now, waitsForKey ? longestWaitMs : 0);
    const timer = setTimeout(() => {
      beforeNextPaint(beginBetweenKeys);
    }, pause);
  }

  /** Runs `work` once: soon, or while the user types as `schedule` does. */
  scheduleBetweenKeys(work: () => void) {
    if (this.isTyping()) this.schedule(work);
    else setTimeout(work);
  }

  isTyping(): boolean {
    return performance.now() - this.#lastKeyAt < typingMs;
  }

  #run(work: () => void) {
    const began = performance.now();
    work();
    afterPaint((now) => {
      const took = now - began;
      if (took > slowFrameMs) this.#slowUntil = now + slowForMs;
      this.#pausedUntil = now + took * pauseShare;
    });
  }

  readonly #noteKey = () => {
    this.#lastKeyAt = performance.now();
    this.#keyIsUnpainted = true;
    beforeNextPaint(() => {
      afterPaint(() => {
        this.#keyIsUnpainted = false;
        // The work is the second task behind the frame: the first is for whatever waits for the key's letter.
        afterPaint((now) => {
          if (now >= this.#pausedUntil) for (const begin of [...this.#waiting]) begin();
        });
      });
    });
  };
}

/** A hidden app window gets no animation frames: a timer runs then. */
function beforeNextPaint(work: () => void) {
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    work();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, 100);
}

/** Called before a frame is painted; a message to itself arrives after that. */
function afterPaint(work: (now: number) => void) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work(performance.now());
  };
  port2.postMessage(null);
}

export const framePacer = new FramePacer();
