import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockViewportWidth } from '../../../test/render';
import { usePanel } from './usePanel';

it('shows the conversation, not the sessions over it, in a window that is made narrow or enlarged', () => {
  const makeNarrow = mockViewportWidth();
  const { result } = renderHook(() => usePanel('(max-width: 720px)', true));
  expect(result.current).toMatchObject({ narrow: false, open: true });
  makeNarrow(true);
  expect(result.current).toMatchObject({ narrow: true, open: false });
  makeNarrow(false);
  expect(result.current).toMatchObject({ narrow: false, open: true });
});

it('keeps what the person chose at each width', () => {
  const makeNarrow = mockViewportWidth();
  const { result } = renderHook(() => usePanel('(max-width: 720px)', true));
  act(() => {
    result.current.setOpen(false);
  });
  expect(result.current.open).toBe(false);
  makeNarrow(true);
  act(() => {
    result.current.setOpen(true);
  });
  expect(result.current.open).toBe(true);
  makeNarrow(false);
  expect(result.current.open).toBe(false);
});
