/**
 * Reading what the model can reach besides the conversation. Files and folders change behind our
 * back: whoever opens a page that shows them, or comes back to the window, reads them again.
 */
import { focusManager, useQuery } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { SessionId } from '../ipc/bindings';
import { beside, keys, needed, type Manner } from './reading';

/** For what changes behind our back. */
export const again = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

// A window of the desktop stays visible beside another: whether it is looked at is its focus.
focusManager.setEventListener((comeBack) => {
  const listener = () => {
    comeBack();
  };
  window.addEventListener('focus', listener);
  return () => {
    window.removeEventListener('focus', listener);
  };
});

export function useTools(session: SessionId | null, manner: Manner = needed) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.tools, 'list', session],
    queryFn: () => (session === null ? Promise.resolve([]) : commands.tools(session)),
    ...again,
    ...manner,
  });
}

export function useGrants() {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.tools, 'grants'],
    queryFn: () => commands.toolGrants(),
    ...again,
  });
}

export function useSearchKey() {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.tools, 'search'],
    queryFn: () => commands.searchKey(),
    ...beside,
  });
}

export function useMemoryFiles(session: SessionId | null) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.tools, 'memory', session],
    queryFn: () => commands.memoryFiles(session),
    ...again,
  });
}

export function useSkills(session: SessionId | null) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.tools, 'skills', session],
    queryFn: () => commands.skills(session),
    ...again,
  });
}
