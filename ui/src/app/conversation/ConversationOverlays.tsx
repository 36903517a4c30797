/** The overlays of the open session. */
import { Suspense } from 'react';
import { useText } from '../../i18n';
import { LazyDialog } from '../../kit/overlays/LazyDialog';
import type { PointId, SessionView, ThreadId } from '../../ipc/bindings';
import type { Command } from '../../state/app/command';
import type { ViewerContent } from '../../transcript/state/viewerContext';
import {
  LazyCompareDialog,
  LazyContextDialog,
  LazyExportDialog,
  LazyInstructionsDialog,
  LazyPalette,
  LazySentRequestDialog,
  LazySummariseRangeDialog,
  LazyViewerDialog,
} from '../dialogs/lazyPanels';
import type { ThreadActions } from '../dialogs/Palette';
import type { AppNavigation } from '../navigation/appNavigation';

/** The open overlay: the comparison of a compaction, or a part of a message. */
export type ConversationOverlay =
  | 'estimate'
  | 'export'
  | 'instructions'
  | 'palette'
  | { point: PointId }
  | { opened: ViewerContent };

type ConversationOverlaysProps = {
  overlay: ConversationOverlay;
  view: SessionView;
  threadId: ThreadId;
  /** The slash commands of the session. */
  commands: readonly Command[];
  navigation: AppNavigation;
  threadActions: ThreadActions;
  onClose: () => void;
};

export function ConversationOverlays(props: ConversationOverlaysProps) {
  const { overlay, view, threadId, commands, navigation, threadActions, onClose } = props;
  const text = useText();
  const { id } = view.session;
  switch (overlay) {
    case 'palette':
      return (
        <LazyDialog title={text('finding.palette')} onClose={onClose}>
          <Suspense>
            <LazyPalette {...{ view, navigation, threadActions, commands, onClose }} />
          </Suspense>
        </LazyDialog>
      );
    case 'export':
      return (
        <LazyDialog title={view.name ?? text('threads.untitled')} onClose={onClose}>
          <LazyExportDialog sessionId={id} title={view.name} onClose={onClose} />
        </LazyDialog>
      );
    case 'instructions':
      return (
        <LazyDialog title={text('threads.instructions')} size="wide" onClose={onClose}>
          <LazyInstructionsDialog sessionId={id} onClose={onClose} />
        </LazyDialog>
      );
    case 'estimate':
      return (
        <LazyDialog title={text('context.estimate')} size="wide" onClose={onClose}>
          <LazyContextDialog view={view} threadId={threadId} onClose={onClose} />
        </LazyDialog>
      );
  }
  if ('opened' in overlay) {
    const { opened } = overlay;
    switch (opened.type) {
      case 'request':
        return (
          <LazyDialog title={text('transcript.seenThen')} size="wide" onClose={onClose}>
            <LazySentRequestDialog sessionId={id} reply={opened.reply} onClose={onClose} />
          </LazyDialog>
        );
      case 'summarise': {
        const { range } = opened;
        const title = text(`transcript.range_${range.type}`);
        return (
          <LazyDialog title={title} size="wide" onClose={onClose}>
            <LazySummariseRangeDialog {...{ threadId, range, onClose }} sessionId={id} />
          </LazyDialog>
        );
      }
      case 'anew':
      case 'attachment':
      case 'output':
      case 'picture':
        return (
          <LazyDialog title={text('kit.loading')} size="full" onClose={onClose}>
            <LazyViewerDialog opened={opened} sessionId={id} onClose={onClose} />
          </LazyDialog>
        );
    }
  }
  return (
    <LazyDialog title={text('context.compare')} size="full" onClose={onClose}>
      <LazyCompareDialog pointId={overlay.point} threadId={threadId} onClose={onClose} />
    </LazyDialog>
  );
}
