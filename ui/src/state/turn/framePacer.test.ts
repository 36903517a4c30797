import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FramePacer } from './framePacer';

/** A frame of the fake timers, in ms. */
const frame = 16;

/** A channel whose messages arrive with the fake timers. */
class TimedChannel {
  port1: { onmessage: (() => void) | null; close: () => void } = {
    onmessage: null,
    close: vi.fn(),
  };
  port2 = {
    postMessage: () => {
      setTimeout(() => this.port1.onmessage?.(), 1);
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('MessageChannel', TimedChannel);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pressKey = () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));

/** Work that takes so long, in ms, and is painted. */
async function spend(pacer: FramePacer, took: number) {
  pacer.schedule(() => {
    vi.advanceTimersByTime(took);
  });
  await vi.advanceTimersByTimeAsync(2 * frame);
}

test('work runs once, before a frame', async () => {
  const work = vi.fn();
  new FramePacer().schedule(work);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * frame);
  expect(work).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(work).toHaveBeenCalledOnce();
});

test('after a slow frame the next work leaves time for keys', async () => {
  const pacer = new FramePacer();
  await spend(pacer, 200);
  const work = vi.fn();
  pacer.schedule(work);
  await vi.advanceTimersByTimeAsync(2 * frame);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(work).toHaveBeenCalledOnce();
});

test('while the user types, slow work begins right after a key is painted', async () => {
  const pacer = new FramePacer();
  await spend(pacer, 60);
  await vi.advanceTimersByTimeAsync(60);
  pressKey();
  await vi.advanceTimersByTimeAsync(2 * frame);
  const work = vi.fn();
  pacer.schedule(work);
  await vi.advanceTimersByTimeAsync(4 * frame);
  expect(work, 'the next key is awaited').not.toHaveBeenCalled();
  pressKey();
  expect(work, 'the key is painted first').not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * frame);
  expect(work).toHaveBeenCalledOnce();
});

test('a fast frame between slow ones does not let the next work begin before a key', async () => {
  const pacer = new FramePacer();
  await spend(pacer, 60);
  await spend(pacer, 0);
  await vi.advanceTimersByTimeAsync(60);
  pressKey();
  await vi.advanceTimersByTimeAsync(2 * frame);
  const work = vi.fn();
  pacer.schedule(work);
  await vi.advanceTimersByTimeAsync(4 * frame);
  expect(work).not.toHaveBeenCalled();
  pressKey();
  await vi.advanceTimersByTimeAsync(2 * frame);
  expect(work).toHaveBeenCalledOnce();
});

test('work does not wait long for a key that does not come', async () => {
  const pacer = new FramePacer();
  await spend(pacer, 60);
  pressKey();
  await vi.advanceTimersByTimeAsync(2 * frame);
  const work = vi.fn();
  pacer.schedule(work);
  await vi.advanceTimersByTimeAsync(300);
  expect(work).toHaveBeenCalledOnce();
});

test('fast work does not wait for a key', async () => {
  const pacer = new FramePacer();
  await spend(pacer, 0);
  pressKey();
  const work = vi.fn();
  pacer.schedule(work);
  await vi.advanceTimersByTimeAsync(2 * frame);
  expect(work).toHaveBeenCalledOnce();
});

test('what waits for the frame of a key comes before the work behind it', async () => {
  const pacer = new FramePacer();
  await spend(pacer, 60);
  await vi.advanceTimersByTimeAsync(60);
  pressKey();
  await vi.advanceTimersByTimeAsync(2 * frame);
  const order: string[] = [];
  pacer.schedule(() => order.push('work'));
  pressKey();
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => order.push('letter');
    port2.postMessage(null);
  });
  await vi.advanceTimersByTimeAsync(2 * frame);
  expect(order).toEqual(['letter', 'work']);
});

test('no work shares the frame of a key', async () => {
  const pacer = new FramePacer();
  const order: string[] = [];
  pacer.schedule(() => order.push('work'));
  await vi.advanceTimersByTimeAsync(0);
  pressKey();
  requestAnimationFrame(() => order.push('frame of the key'));
  await vi.advanceTimersByTimeAsync(2 * frame);
  expect(order).toEqual(['frame of the key', 'work']);
});

test('what is not part of a reply waits for a key only while the user types', async () => {
  const pacer = new FramePacer();
  await spend(pacer, 60);
  const work = vi.fn();
  pacer.scheduleBetweenKeys(work);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledOnce();
  pressKey();
  await vi.advanceTimersByTimeAsync(2 * frame);
  pacer.scheduleBetweenKeys(work);
  await vi.advanceTimersByTimeAsync(4 * frame);
  expect(work, 'the next key is awaited').toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(300);
  expect(work).toHaveBeenCalledTimes(2);
});
