import { readFileSync } from 'node:fs';
import path from 'node:path';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render';
import type { ToolView } from '../../ipc/bindings';
import { defaultSettings } from '../../../test/fakeBackend';
import { ToolTable } from './ToolTable';

const tool = (name: string, family: ToolView['family'], description: string): ToolView => ({
  name,
  description,
  family,
  on: true,
  declared: true,
  leftOut: false,
  deferred: false,
  tokens: 74,
  outputLimit: 30_000,
});

it('says to the person what a tool does, and all that the model is told behind a line', async () => {
  const told = 'Read a text file, as lines with their numbers. Name start_line and lines.';
  const tools = [tool('read_file', 'builtIn', told), tool('loom__weave', 'mcp', 'Weaves a row.')];
  const { user } = renderPart(
    <ToolTable label="Tools" tools={tools} settings={defaultSettings} save={() => undefined} />,
  );
  const [own, foreign] = screen.getAllByRole('rowheader');
  expect(own).toHaveTextContent(
    'read_fileReads text files, PDFs and Office documents in the session’s folder.What the model is told',
  );
  expect(foreign).toHaveTextContent('loom__weaveWhat the model is told');
  const lines = screen.getAllByRole('button', { name: 'What the model is told' });
  for (const line of lines) await user.click(line);
  expect(screen.getByText(told)).toBeVisible();
  expect(screen.getByText('Weaves a row.')).toBeVisible();
});

it('lets a long name break where the window is narrow, so that no column is cut', () => {
  const narrow = document.createElement('style');
  const css = readFileSync(path.resolve(import.meta.dirname, '../settings.css'), 'utf8');
  // jsdom has no width.
  narrow.textContent = css.replaceAll('(max-width: 520px)', 'screen');
  document.head.append(narrow);
  const tools = [tool('read_stored_result_of_a_loom', 'builtIn', 'Reads.')];
  renderPart(
    <ToolTable label="Tools" tools={tools} settings={defaultSettings} save={() => undefined} />,
  );
  const { overflowWrap } = getComputedStyle(screen.getByRole('rowheader'));
  const [limit] = screen.getAllByRole('cell').slice(-1);
  expect(overflowWrap).toBe('anywhere');
  expect(limit && getComputedStyle(limit).width).toBe('84px');
  narrow.remove();
});
