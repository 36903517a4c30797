import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../test-show';
import type { ToolView } from '../ipc/bindings';
import { plainSettings } from '../ipc/memory';
import { ToolTable } from './ToolTable';

const tool = (name: string, family: ToolView['family'], description: string): ToolView => ({
  name,
  description,
  family,
  on: true,
  declared: true,
  tokens: 74,
  outputLimit: 30_000,
});

it('says to the person what a tool does, and all that the model is told behind a line', async () => {
  const told = 'Read a text file, as lines with their numbers. Name start_line and lines.';
  const tools = [tool('read_file', 'builtIn', told), tool('loom__weave', 'mcp', 'Weaves a row.')];
  const { person } = show(
    <ToolTable label="Tools" tools={tools} settings={plainSettings} save={() => undefined} />,
  );
  const [own, foreign] = screen.getAllByRole('rowheader');
  expect(own).toHaveTextContent(
    'read_fileReads text files, PDFs and Office documents in the session’s folder.What the model is told',
  );
  expect(foreign).toHaveTextContent('loom__weaveWhat the model is told');
  const lines = screen.getAllByRole('button', { name: 'What the model is told' });
  for (const line of lines) await person.click(line);
  expect(screen.getByText(told)).toBeVisible();
  expect(screen.getByText('Weaves a row.')).toBeVisible();
});
