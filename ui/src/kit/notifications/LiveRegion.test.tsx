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
