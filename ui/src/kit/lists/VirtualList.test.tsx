import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render';
import { VirtualList } from './VirtualList';

beforeEach(() => {
  // jsdom has no layout.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
    this: Element,
  ) {
    return this.hasAttribute('data-index') ? 40 : 480;
  });
  getSelection()?.removeAllRanges();
});

const height = () => 40;

function open(count: number) {
  const rows = Array.from({ length: count }, (_, at) => `Row ${at + 1}.`);
  renderPart(
    <VirtualList label="Rows" rows={rows} height={height}>
      {(row) => <span>{row}</span>}
    </VirtualList>,
  );
  return screen.getByRole('group', { name: 'Rows' });
}

const numbers = () => screen.getAllByRole('listitem').map((row) => Number(row.dataset.index) + 1);

const frame = () => act(() => new Promise((done) => requestAnimationFrame(done)));

async function scroll(list: HTMLElement, top: number) {
  list.scrollTop = top;
  fireEvent.scroll(list);
  await frame();
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

it('holds a short list whole', () => {
  open(200);
  expect(numbers()).toEqual(upTo(200));
});

it('holds of a long one what is near the view, in order, and says how long it is', async () => {
  const list = open(10_000);
  expect(list).toHaveAttribute('tabindex', '0');
  expect(numbers().length).toBeLessThan(60);
  await scroll(list, 200_000);
  await waitFor(() => {
    expect(screen.getByText('Row 5001.')).toBeInTheDocument();
  });
  expect(screen.queryByText('Row 1.')).toBeNull();
  const seen = numbers();
  expect(seen.length).toBeLessThan(60);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  const row = screen.getByText('Row 5001.').closest('li');
  expect(row).toHaveAttribute('aria-posinset', '5001');
  expect(row).toHaveAttribute('aria-setsize', '10000');
});

it('keeps all that is selected, so that it is copied whole', async () => {
  const list = open(10_000);
  const select = async (change: (selection: Selection) => void) => {
    const selection = getSelection();
    if (selection) change(selection);
    document.dispatchEvent(new Event('selectionchange'));
    await frame();
  };
  const first = screen.getByText('Row 1.');
  await select((selection) => {
    selection.setBaseAndExtent(first, 0, screen.getByText('Row 2.'), 1);
  });
  await scroll(list, 4_000);
  await select((selection) => {
    selection.extend(screen.getByText('Row 101.'), 1);
  });
  await waitFor(() => {
    expect(numbers().slice(0, 101)).toEqual(upTo(101));
  });
  expect(getSelection()?.toString()).toMatch(/^Row 1\.[^]*Row 50\.[^]*Row 101\.$/);
  await select((selection) => {
    selection.removeAllRanges();
  });
  await waitFor(() => {
    expect(first).not.toBeInTheDocument();
  });
});
