import { render, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useComposedText } from './useComposedText';

let renderSoon: () => void;

function SearchField() {
  const [value, setValue] = useState('');
  const [, setResults] = useState(0);
  useEffect(() => {
    renderSoon = () => {
      setResults((count) => count + 1);
    };
  });
  const composed = useComposedText(value);
  return (
    <>
      <input
        aria-label="Search"
        value={value}
        onChange={(event) => {
          setValue(event.target.value);
        }}
      />
      <output>{composed}</output>
    </>
  );
}

/** Browsers run microtasks between two listeners of one event, and React renders in them; jsdom does not. */
const runMicrotasks = () => {
  flushSync(() => undefined);
};

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
});
afterEach(() => {
  document.removeEventListener('input', runMicrotasks, true);
  vi.unstubAllGlobals();
});

async function renderField() {
  render(<SearchField />);
  const input = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Search' });
  document.addEventListener('input', runMicrotasks, true);
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on the input
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  return (letter: string, isComposing = false) => {
    write?.call(input, input.value + letter);
    input.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing }));
    return input.value;
  };
}

it('keeps a letter that is typed while the results are about to be rendered', async () => {
  const type = await renderField();
  expect(type('q')).toBe('q');
  renderSoon();
  expect(type('u')).toBe('qu');
  renderSoon();
  expect(type('e')).toBe('que');
  await vi.waitFor(() => {
    expect(screen.getByRole('status')).toHaveTextContent('que');
  });
});

it('keeps the first letter of an input method, and returns the text when its word is chosen', async () => {
  const type = await renderField();
  expect(type('n', true)).toBe('n');
  expect(type('i', true)).toBe('ni');
  expect(screen.getByRole('status')).toHaveTextContent(/^$/);
  screen
    .getByRole('textbox')
    .dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  await vi.waitFor(() => {
    expect(screen.getByRole('status')).toHaveTextContent('ni');
  });
});
