/**
 * For tests alone: the window, or a part of it as it stands in it, in English, on a backend in memory.
 */
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { vi } from 'vitest';
import { LanguageProvider } from '../src/i18n';
import { BackendProvider, type Backend } from '../src/ipc';
import { fakeBackend } from './fakeBackend';
import { DisclosureState, DisclosureStateContext } from '../src/transcript/state/disclosureState';
import { ToastProvider } from '../src/kit/notifications/Toast';
import { App } from '../src/app/App';
import { ErrorContextProvider } from '../src/app/ErrorContextProvider';
import { refetchOnChange, makeQueryClient } from '../src/state/queries/queries';
import { Sidebar } from '../src/sidebar/Sidebar';

/** The backend in memory, with other answers to some commands. */
export function backendWith(commands: Partial<Backend['commands']>): Backend {
  const memory = fakeBackend();
  Object.assign(memory.commands, commands);
  return memory;
}

export function renderPart(part: ReactNode, backend: Backend = fakeBackend()) {
  const client = makeQueryClient();
  refetchOnChange(client, backend);
  const disclosures = new DisclosureState();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <LanguageProvider choice="en">
        <ToastProvider>
          <BackendProvider value={backend}>
            <ErrorContextProvider>
              <DisclosureStateContext value={disclosures}>{children}</DisclosureStateContext>
            </ErrorContextProvider>
          </BackendProvider>
        </ToastProvider>
      </LanguageProvider>
    </QueryClientProvider>
  );
  return { user: userEvent.setup(), ...render(part, { wrapper }) };
}

/** The whole window. */
export function renderApp(backend: Backend = fakeBackend()) {
  const client = makeQueryClient();
  refetchOnChange(client, backend);
  return { user: userEvent.setup(), ...render(<App backend={backend} client={client} />) };
}

const nothing = () => undefined;

/** The list of sessions, the first of them open. What it opens over the window is handed on. */
export const sidebarElement = (
  onOverlay: ComponentProps<typeof Sidebar>['onOverlay'] = nothing,
) => <SidebarWithQuery onOverlay={onOverlay} />;

function SidebarWithQuery({ onOverlay }: Pick<ComponentProps<typeof Sidebar>, 'onOverlay'>) {
  const [query, setQuery] = useState('');
  return (
    <Sidebar
      open={1}
      onOpen={nothing}
      onOverlay={onOverlay}
      onNew={nothing}
      onHit={nothing}
      onSettings={nothing}
      query={query}
      onQuery={setQuery}
    />
  );
}

/** A window that can be made narrow and wide again. */
export function mockViewportWidth() {
  let narrow = false;
  const watchers = new Set<() => void>();
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return narrow;
    },
    addEventListener: (_: string, watcher: () => void) => watchers.add(watcher),
    removeEventListener: (_: string, watcher: () => void) => watchers.delete(watcher),
  }));
  return (next: boolean) => {
    act(() => {
      narrow = next;
      for (const watcher of watchers) watcher();
    });
  };
}
