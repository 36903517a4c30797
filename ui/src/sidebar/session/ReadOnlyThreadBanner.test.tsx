import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { ReadOnlyThreadBanner } from './ReadOnlyThreadBanner';

it('goes on in a thread that has ended, and only then shows it as the current one', async () => {
  const done: string[] = [];
  const resumeThread = vi.fn((thread: number) => {
    done.push(`resumed ${String(thread)}`);
    return Promise.resolve(null);
  });
  const onCurrent = () => {
    done.push('shown');
  };
  const backend = backendWith({ resumeThread });
  const { user } = renderPart(<ReadOnlyThreadBanner threadId={2} onCurrent={onCurrent} />, backend);
  await user.click(screen.getByRole('button', { name: 'Go on here' }));
  expect(done).toEqual(['resumed 2', 'shown']);
});
