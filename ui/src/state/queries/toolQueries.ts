/**
 * Queries for files, folders and servers, which change outside of Skein: they run again when their view
 * opens and when the app window gets the focus.
 */
import { focusManager, useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import type { SessionId } from '../../ipc/bindings';
import { optional, queryKeys, required, type ReadMode } from './queries';

export const refetchOnFocus = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

// A desktop window stays visible beside another one: its focus tells whether the user is there.
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
