import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LiveRegionProvider, useAnnounce } from './LiveRegion';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function listen() {
  let announce: ReturnType<typeof useAnnounce> = () => undefined;
  function Sayer() {
    announce = useAnnounce();
    return null;
  }
  render(
    <LiveRegionProvider>
      <Sayer />
    </LiveRegionProvider>,
  );
  const say = (...all: readonly string[]) => {
    act(() => {
      for (const words of all) announce(words);
    });
  };
  const pieces = () =>
    [...document.querySelectorAll('[aria-live] > div > div')].map((piece) => piece.textContent);
  return { say, pieces };
}

it('keeps what is said at once together: none takes the place of another', () => {
  const { say, pieces } = listen();
  say('I am going to delete it.', 'rm waits for your answer.');
  expect(pieces()).toEqual(['I am going to delete it.', 'rm waits for your answer.']);
  say('Copied');
  expect(pieces()).toEqual(['Copied']);
});

it('is empty again once it was heard: nobody comes upon it at the end of the page', () => {
  const { say, pieces } = listen();
  say('Copied');
  act(() => {
    vi.advanceTimersByTime(5_000);
  });
  expect(pieces()).toEqual(['Copied']);
  act(() => {
    vi.advanceTimersByTime(6_000);
  });
  expect(pieces()).toEqual(['']);
});

it('keeps no more than the latest chunks of a long text in the page', () => {
  const { say, pieces } = listen();
  const words = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(' ');
  say(words);
  const heard = new Set(pieces());
  while (!heard.has('') && heard.size < 1_000) {
    act(() => {
      vi.advanceTimersByTime(50);
    });
    expect(pieces().length).toBeLessThanOrEqual(10);
    for (const piece of pieces()) heard.add(piece);
  }
  expect([...heard].join('').trim(), 'all of it was heard, in order').toBe(words);
});
