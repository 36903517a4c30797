import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../test/render';
import { Markdown } from '../markdown/render/Markdown';
import { DisclosureState } from './state/disclosureState';
import { TranscriptContext } from './TranscriptContext';

it('saves code in the file that the person chose, and nothing where they chose none', async () => {
  const attachText = vi.fn((name: string) =>
    Promise.resolve({ type: 'file' as const, blob: 5, name, mediaType: 'text/plain', bytes: 1 }),
  );
  const saveAttachment = vi.fn(() => Promise.resolve(null));
  const backend = backendWith({ attachText, saveAttachment });
  const pickTarget = vi.spyOn(backend.desktop, 'pickTarget');
  const { user } = renderPart(
    <TranscriptContext disclosures={new DisclosureState()}>
      <Markdown text={'```rust\nfn main() {}\n```'} streaming={false} />
    </TranscriptContext>,
    backend,
  );
  const save = () => user.click(screen.getByRole('button', { name: 'Save as…' }));
  pickTarget.mockResolvedValueOnce(null);
  await save();
  expect(attachText).not.toHaveBeenCalled();
  pickTarget.mockResolvedValueOnce('/home/ada/main.rs');
  await save();
  expect(await screen.findByText('Saved as /home/ada/main.rs.')).toBeVisible();
  expect(pickTarget).toHaveBeenLastCalledWith('Save code.rs', 'code.rs', []);
  await waitFor(() => {
    expect(saveAttachment).toHaveBeenCalledExactlyOnceWith(5, '/home/ada/main.rs');
  });
});
