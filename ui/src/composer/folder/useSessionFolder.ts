/**
 * The session's folder: chosen, left, and looked at again whenever the person comes back to the
 * window, since it is outside of it that folders are moved and deleted.
 */
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Error as AppError, SessionView } from '../../ipc/bindings';
import { optional, queryKeys } from '../../state/queries/queries';
import { refetchOnFocus } from '../../state/queries/toolQueries';

export function useSessionFolder({ session: { id, overrides } }: SessionView) {
  const text = useText();
  const { commands, desktop } = useBackend();
  /** Another folder, or null for none. Fails where it cannot be one. */
  const choose = async (folder: string | null) => {
    await commands.setOverride(id, { name: 'folder', value: folder });
  };
  /** Lets the desktop ask; whether a folder was chosen. */
  const browse = async () => {
    const picked = await desktop.pickFolder(text('folder.title'));
    if (picked !== null) await choose(picked);
    return picked !== null;
  };
  return { path: overrides.folder ?? null, choose, browse };
}

/** What is in the way of the session's folder; null where nothing is. */
export function useSessionFolderError({ session: { id, overrides } }: SessionView) {
  const { commands } = useBackend();
  const path = overrides.folder ?? null;
  const { data: fault = null } = useQuery({
    queryKey: [...queryKeys.session(id), 'folder', path],
    queryFn: () => commands.folderFault(id),
    enabled: path !== null,
    ...optional,
    ...refetchOnFocus,
  });
  return path === null || fault === null
    ? null
    : ({ kind: 'badFolder', path, fault } satisfies AppError);
}
