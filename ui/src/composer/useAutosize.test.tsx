import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useAutosize } from './useAutosize';

function Box() {
  return <textarea ref={useAutosize('A long line.')} aria-label="Box" />;
}

it('is as high as its words, also once they stand in another width', () => {
  let tell = () => undefined;
  class Resized {
    constructor(seen: () => undefined) {
      tell = seen;
    }
    observe = () => undefined;
    disconnect = () => undefined;
  }
  vi.stubGlobal('ResizeObserver', Resized);
  const width = vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(700);
  const height = vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(60);
  render(<Box />);
  const box = screen.getByRole('textbox', { name: 'Box' });
  expect(box.style.height).toBe('60px');
  // A change of its own height is no reason.
  height.mockReturnValue(61);
  tell();
  expect(box.style.height).toBe('60px');
  width.mockReturnValue(300);
  height.mockReturnValue(120);
  tell();
  expect(box.style.height).toBe('120px');
});
