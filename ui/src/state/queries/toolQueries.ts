/**
 * Reading what the model can reach besides the conversation. Files and folders change behind our
 * back: whoever opens a page that shows them, or comes back to the window, reads them again.
 */
import { focusManager, useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import type { SessionId } from '../../ipc/bindings';
import { optional, queryKeys, required, type ReadMode } from './queries';

/** For what changes behind our back. */
export const refetchOnFocus = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

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

export function useTools(session: SessionId | null, manner: ReadMode = required) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.tools, 'list', session],
    queryFn: () => (session === null ? Promise.resolve([]) : commands.tools(session)),
    ...refetchOnFocus,
    ...manner,
  });
}

export function useToolGrants() {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.tools, 'grants'],
    queryFn: () => commands.toolGrants(),
    ...refetchOnFocus,
  });
}

export function useSearchKey() {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.tools, 'search'],
    queryFn: () => commands.searchKey(),
    ...optional,
  });
}

export function useInstructionFiles(session: SessionId | null) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.tools, 'memory', session],
    queryFn: () => commands.memoryFiles(session),
    ...refetchOnFocus,
  });
}

export function useSkills(session: SessionId | null) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.tools, 'skills', session],
    queryFn: () => commands.skills(session),
    ...refetchOnFocus,
  });
}
