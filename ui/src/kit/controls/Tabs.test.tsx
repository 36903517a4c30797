import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { mockViewportWidth } from '../../../test/render';
import { Tabs } from './Tabs';

test('the arrows walk tabs in the direction in which they stand', async () => {
  const resize = mockViewportWidth();
  const names = ['a', 'b'] as const;
  const change = vi.fn();
  render(
    <Tabs
      label="Settings"
      current="a"
      onChange={change}
      tabs={names.map((id) => ({ id, label: id, content: id }))}
    />,
  );
  const list = screen.getByRole('tablist');
  expect(list).toHaveAttribute('aria-orientation', 'vertical');
  resize(true);
  expect(list).not.toHaveAttribute('aria-orientation', 'vertical');
  screen.getByRole('tab', { name: 'a' }).focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(change).not.toHaveBeenCalled();
  await userEvent.keyboard('{ArrowRight}');
  expect(change).toHaveBeenCalledExactlyOnceWith('b');
  vi.unstubAllGlobals();
});
