/**
 * Compares the compacted messages with what replaces them: the summary, the facts kept beside it, and the
 * facts that were dropped, with the reason.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText, type TextKey } from '../../i18n';
import { useBackend } from '../../ipc';
import type {
  FactStatus,
  FactView,
  SummaryComparison,
  PointId,
  ThreadId,
} from '../../ipc/bindings';
import { Dialog } from '../../kit/overlays/Dialog';
import { Disclosure } from '../../kit/controls/Disclosure';
import { VirtualList } from '../../kit/lists/VirtualList';
import { Markdown } from '../../markdown/render/Markdown';
import { queryKeys } from '../../state/queries/queries';
import { MessageExcerpts } from './MessageExcerpts';
import './compaction.css';

type CompareDialogProps = { pointId: PointId; threadId: ThreadId; onClose: () => void };

export function CompareDialog({ pointId, threadId, onClose }: CompareDialogProps) {
  const text = useText();
  const { commands } = useBackend();
  const { data } = useQuery({
    queryKey: [...queryKeys.thread(threadId), 'compare', pointId],
    queryFn: () => commands.compare(pointId, threadId),
  });
  return (
    <Dialog title={text('context.compare')} onClose={onClose} size="full">
      {data ? (
        <div className="Compare">
          <CoveredMessages comparison={data} threadId={threadId} />
          <section aria-label={text('context.kept')}>
            <h3>{text('context.kept')}</h3>
            <Markdown text={data.summary} />
            <FactList fate="carried" anchors={data.anchors} open />
            <FactList fate="said" anchors={data.anchors} />
            <FactList fate="leftOut" anchors={data.anchors} />
            <FactList fate="replaced" anchors={data.anchors} />
          </section>
        </div>
      ) : (
        <p>{text('kit.loading')}</p>
      )}
    </Dialog>
  );
}

type CoveredMessagesProps = { comparison: SummaryComparison; threadId: ThreadId };

function CoveredMessages({ comparison, threadId }: CoveredMessagesProps) {
  const text = useText();
  const formats = useFormats();
  const { covered, point } = comparison;
  return (
    <section aria-label={text('context.covered')}>
      <h3>{text('context.covered')}</h3>
      <p>
        {text('compaction.compacted', {
          before: formats.exact(point.before),
          after: formats.exact(point.after),
        })}
      </p>
      <MessageExcerpts
        label={text('context.covered')}
        threadId={threadId}
        places={covered}
        words="all"
      />
    </section>
  );
}

const titles = {
  carried: 'compaction.factsCarried',
  said: 'compaction.factsSaid',
  leftOut: 'compaction.factsLeftOut',
  replaced: 'compaction.factsReplaced',
} as const satisfies Record<FactStatus, TextKey>;

const factHeight = () => 30;

type FactListProps = { fate: FactStatus; anchors: FactView[]; open?: boolean };

function FactList({ fate, anchors, open = false }: FactListProps) {
  const text = useText();
  const shown = anchors.filter((anchor) => anchor.fate === fate);
  if (shown.length === 0) return null;
  const label = text(titles[fate], { count: shown.length });
  return (
    <Disclosure label={label} initiallyOpen={open}>
      <VirtualList label={label} rows={shown} height={factHeight}>
        {({ text: words, number }) => (
          <span className="Anchor">
            {words} {number !== null && <small>{text('compaction.message', { number })}</small>}
          </span>
        )}
      </VirtualList>
    </Disclosure>
  );
}
