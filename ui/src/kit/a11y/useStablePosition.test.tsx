import { act, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useStablePosition } from './useStablePosition';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function Asks({ onAnswer }: { onAnswer: () => void }) {
  const place = useRef<HTMLButtonElement>(null);
  const { settled, answer } = useStablePosition(place);
  return (
    <button
      ref={place}
      aria-disabled={!settled}
      onClick={() => {
        answer(onAnswer);
      }}
    >
      Yes
    </button>
  );
}

const pass = (ms: number) => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

function asks() {
  const onAnswer = vi.fn();
  render(<Asks onAnswer={onAnswer} />);
  const button = screen.getByRole('button');
  const click = () => fireEvent.click(button);
  const moveTo = (top: number) => {
    vi.spyOn(button, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, top, 10, 10));
  };
  return { onAnswer, button, click, moveTo };
}

it('takes no answer within half a second of appearing', () => {
  const { onAnswer, button, click } = asks();
  pass(490);
  click();
  expect(onAnswer).not.toHaveBeenCalled();
  expect(button).toHaveAttribute('aria-disabled', 'true');
  pass(110);
  expect(button).toHaveAttribute('aria-disabled', 'false');
  click();
  expect(onAnswer).toHaveBeenCalledOnce();
});

it('takes no answer within half a second of moving, also where it has moved just now', () => {
  const { onAnswer, click, moveTo } = asks();
  pass(1_000);
  moveTo(40);
  click();
  expect(onAnswer).not.toHaveBeenCalled();
  pass(400);
  click();
  expect(onAnswer).not.toHaveBeenCalled();
  pass(200);
  click();
  expect(onAnswer).toHaveBeenCalledOnce();
});

it('appears anew to whoever comes back to the window', () => {
  const { onAnswer, click } = asks();
  pass(1_000);
  fireEvent(document, new Event('visibilitychange'));
  click();
  expect(onAnswer).not.toHaveBeenCalled();
});
