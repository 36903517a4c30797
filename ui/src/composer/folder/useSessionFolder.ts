/**
 * Reads and sets the session's workspace folder. It is checked again whenever the app window gets the focus:
 * folders are moved and deleted outside of it.
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
  /** Sets the folder; null: none. Rejects if the path cannot be a workspace folder. */
  const choose = async (folder: string | null) => {
    await commands.setOverride(id, { name: 'folder', value: folder });
  };
  /** Opens the desktop's file dialog. Resolves to false if it was cancelled. */
  const browse = async () => {
    const picked = await desktop.pickFolder(text('folder.title'));
    if (picked !== null) await choose(picked);
    return picked !== null;
  };
  return { path: overrides.folder ?? null, choose, browse };
}

/** Why the session's folder cannot be used; null: it can, or there is none. */
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
