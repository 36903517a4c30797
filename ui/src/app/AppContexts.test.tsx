import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { fakeBackend } from '../../test/fakeBackend';
import { Markdown } from '../markdown/render/Markdown';
import { makeQueryClient } from '../state/queries/queries';
import { AppContexts } from './AppContexts';

it('says which link could not be opened', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const backend = fakeBackend();
  const openLink = vi.spyOn(backend.desktop, 'openLink').mockRejectedValue('no browser');
  const look = { language: 'en', theme: 'system', zoom: 1, spelling: false } as const;
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <AppContexts backend={backend} look={look}>
        <Markdown text="See [the weft](https://loom.example/weft)." streaming={false} />
      </AppContexts>
    </QueryClientProvider>,
  );
  await userEvent.setup().click(screen.getByRole('link', { name: /the weft/ }));
  expect(openLink).toHaveBeenCalledExactlyOnceWith('https://loom.example/weft');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The link could not be opened: https://loom.example/weft',
  );
});
