import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLeadingDebounced } from './useLeadingDebounced';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = (ms: number) => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

test('what comes after a pause is followed at once, what comes faster when it pauses', () => {
  const { result, rerender } = renderHook(({ value }) => useLeadingDebounced(value, 40), {
    initialProps: { value: '' },
  });
  wait(1000);
  rerender({ value: 'l' });
  wait(1);
  expect(result.current, 'the first letter').toBe('l');
  for (const value of ['lo', 'loo', 'loom']) {
    rerender({ value });
    wait(20);
    expect(result.current, 'while letters come every 20 ms').toBe('l');
  }
  wait(20);
  expect(result.current, '40 ms after the last letter').toBe('loom');
});

test('letters that come slower than the rest are each followed at once', () => {
  const { result, rerender } = renderHook(({ value }) => useLeadingDebounced(value, 40), {
    initialProps: { value: '' },
  });
  for (const value of ['w', 'we', 'wef']) {
    wait(150);
    rerender({ value });
    wait(1);
    expect(result.current).toBe(value);
  }
});
