/**
 * What the rows of a thread share: which of their lines are open, and how a picture of their texts is
 * opened.
 */
import { use, useMemo, useState, type ReactNode } from 'react';
import { MarkdownActionsProvider, useMarkdownActions } from '../markdown/actions';
import { Folds, FoldsContext } from './folds';
import { OpenContext } from './opened';

export function Shared({ children }: { children: ReactNode }) {
  const [folds] = useState(() => new Folds());
  const open = use(OpenContext);
  const actions = useMarkdownActions();
  const shared = useMemo(
    () => ({
      ...actions,
      openPicture: (address: string, name: string) => {
        open({ type: 'picture', address, name });
      },
    }),
    [actions, open],
  );
  return (
    <MarkdownActionsProvider value={shared}>
      <FoldsContext value={folds}>{children}</FoldsContext>
    </MarkdownActionsProvider>
  );
}
