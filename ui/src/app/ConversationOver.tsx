/**
 * What opens over a session.
 */
import { Suspense } from 'react';
import { useText } from '../i18n';
import { Opening } from '../kit/Opening';
import type { PointId, SessionView, ThreadId } from '../ipc/bindings';
import type { Command } from '../state/commands';
import { ExportDialog } from '../threads/ExportDialog';
import { InstructionsDialog } from '../threads/InstructionsDialog';
import type { Opened } from '../transcript/opened';
import { OpenedDialog } from '../transcript/OpenedDialog';
import { CompareDialog, ContextDialog, Palette } from './opening';
import type { Acts } from './Palette';
import type { Ways } from './Window';

/** A compaction is compared, something of a message is seen. */
export type Over =
  'estimate' | 'export' | 'instructions' | 'palette' | { point: PointId } | { opened: Opened };

type ConversationOverProps = {
  over: Over;
  view: SessionView;
  threadId: ThreadId;
  /** What can be done here. */
  offered: readonly Command[];
  ways: Ways;
  acts: Acts;
  onClose: () => void;
};

export function ConversationOver(props: ConversationOverProps) {
  const { over, view, threadId, offered, ways, acts, onClose } = props;
  const text = useText();
  const { id } = view.session;
  switch (over) {
    case 'palette':
      return (
        <Opening title={text('finding.palette')} onClose={onClose}>
          <Suspense>
            <Palette {...{ view, ways, acts, onClose }} commands={offered} />
          </Suspense>
        </Opening>
      );
    case 'export':
      return <ExportDialog sessionId={id} title={view.name} onClose={onClose} />;
    case 'instructions':
      return <InstructionsDialog sessionId={id} onClose={onClose} />;
    case 'estimate':
      return (
        <Opening title={text('context.estimate')} size="wide" onClose={onClose}>
          <ContextDialog view={view} threadId={threadId} onClose={onClose} />
        </Opening>
      );
  }
  if ('opened' in over) {
    return <OpenedDialog opened={over.opened} sessionId={id} onClose={onClose} />;
  }
  return (
    <Opening title={text('context.compare')} size="full" onClose={onClose}>
      <CompareDialog pointId={over.point} threadId={threadId} onClose={onClose} />
    </Opening>
  );
}
