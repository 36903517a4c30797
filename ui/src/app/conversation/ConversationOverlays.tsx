/**
 * What opens over a session.
 */
import { Suspense } from 'react';
import { useText } from '../../i18n';
import { LazyDialog } from '../../kit/overlays/LazyDialog';
import type { PointId, SessionView, ThreadId } from '../../ipc/bindings';
import type { Command } from '../../state/app/command';
import { ExportDialog } from '../../sidebar/session/ExportDialog';
import { InstructionsDialog } from '../../sidebar/session/InstructionsDialog';
import type { ViewerContent } from '../../transcript/state/viewerContext';
import { ViewerDialog } from '../../transcript/viewer/ViewerDialog';
import { LazyCompareDialog, LazyContextDialog, LazyPalette } from '../dialogs/lazyPanels';
import type { ThreadActions } from '../dialogs/Palette';
import type { AppNavigation } from '../navigation/appNavigation';

/** A compaction is compared, something of a message is seen. */
export type ConversationOverlay =
  | 'estimate'
  | 'export'
  | 'instructions'
  | 'palette'
  | { point: PointId }
  | { opened: ViewerContent };

type ConversationOverlaysProps = {
  over: ConversationOverlay;
  view: SessionView;
  threadId: ThreadId;
  /** What can be done here. */
  offered: readonly Command[];
  ways: AppNavigation;
  acts: ThreadActions;
  onClose: () => void;
};

export function ConversationOverlays(props: ConversationOverlaysProps) {
  const { over, view, threadId, offered, ways, acts, onClose } = props;
  const text = useText();
  const { id } = view.session;
  switch (over) {
    case 'palette':
      return (
        <LazyDialog title={text('finding.palette')} onClose={onClose}>
          <Suspense>
            <LazyPalette {...{ view, ways, acts, onClose }} commands={offered} />
          </Suspense>
        </LazyDialog>
      );
    case 'export':
      return <ExportDialog sessionId={id} title={view.name} onClose={onClose} />;
    case 'instructions':
      return <InstructionsDialog sessionId={id} onClose={onClose} />;
    case 'estimate':
      return (
        <LazyDialog title={text('context.estimate')} size="wide" onClose={onClose}>
          <LazyContextDialog view={view} threadId={threadId} onClose={onClose} />
        </LazyDialog>
      );
  }
  if ('opened' in over) {
    return <ViewerDialog opened={over.opened} sessionId={id} onClose={onClose} />;
  }
  return (
    <LazyDialog title={text('context.compare')} size="full" onClose={onClose}>
      <LazyCompareDialog pointId={over.point} threadId={threadId} onClose={onClose} />
    </LazyDialog>
  );
}
