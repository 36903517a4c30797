/**
 * What the rows of a thread share: which of their lines are open, and how a picture of their texts is
 * opened.
 */
import { use, useMemo, type ReactNode } from 'react';
import { MarkdownActionsProvider, useMarkdownActions } from '../markdown/actions';
import { FoldsContext, type Folds } from './folds';
import { OpenContext } from './opened';

export function Shared({ folds, children }: { folds: Folds; children: ReactNode }) {
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
