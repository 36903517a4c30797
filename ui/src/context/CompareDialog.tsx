/**
 * What was covered beside what is kept: the summary, the facts carried beside it, and those that were
 * not, with the reason.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText, type Key } from '../i18n';
import { useBackend } from '../ipc';
import type { AnchorFate, AnchorLine, Comparison, PointId, ThreadId } from '../ipc/bindings';
import { Dialog } from '../kit/Dialog';
import { Disclosure } from '../kit/Disclosure';
import { Markdown } from '../markdown/Markdown';
import { keys } from '../state/reading';
import './Compaction.css';

type CompareDialogProps = { pointId: PointId; threadId: ThreadId; onClose: () => void };

export function CompareDialog({ pointId, threadId, onClose }: CompareDialogProps) {
  const text = useText();
  const { commands } = useBackend();
  const { data } = useQuery({
    queryKey: [...keys.thread(threadId), 'compare', pointId],
    queryFn: () => commands.compare(pointId, threadId),
  });
  return (
    <Dialog title={text('context.compare')} onClose={onClose} size="full">
      {data ? (
        <div className="Compare">
          <Covered comparison={data} />
          <section aria-label={text('context.kept')}>
            <h3>{text('context.kept')}</h3>
            <Markdown text={data.summary} />
            <Anchors fate="carried" anchors={data.anchors} open />
            <Anchors fate="said" anchors={data.anchors} />
            <Anchors fate="leftOut" anchors={data.anchors} />
            <Anchors fate="replaced" anchors={data.anchors} />
          </section>
        </div>
      ) : (
        <p>{text('kit.loading')}</p>
      )}
    </Dialog>
  );
}

function Covered({ comparison }: { comparison: Comparison }) {
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
      <ol className="Compare-messages">
        {covered.map(({ id, role, pinned, parts }, at) => (
          <li key={id}>
            <h4>
              {at + 1} · {text(role === 'user' ? 'transcript.you' : 'transcript.assistant')}
              {pinned && ` · ${text('compaction.pinned')}`}
            </h4>
            <p>
              {parts
                .flatMap((part) =>
                  part.type === 'text'
                    ? [part.text]
                    : part.type === 'tool'
                      ? [part.call.name]
                      : 'name' in part
                        ? [part.name]
                        : [],
                )
                .join('\n')}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

const titles = {
  carried: 'compaction.factsCarried',
  said: 'compaction.factsSaid',
  leftOut: 'compaction.factsLeftOut',
  replaced: 'compaction.factsReplaced',
} as const satisfies Record<AnchorFate, Key>;

type AnchorsProps = { fate: AnchorFate; anchors: AnchorLine[]; open?: boolean };

function Anchors({ fate, anchors, open = false }: AnchorsProps) {
  const text = useText();
  const shown = anchors.filter((anchor) => anchor.fate === fate);
  if (shown.length === 0) return null;
  return (
    <Disclosure label={text(titles[fate], { count: shown.length })} initiallyOpen={open}>
      <ul className="Anchors">
        {shown.map(({ text: words, number }, at) => (
          <li key={at}>
            {words} {number !== null && <small>{text('compaction.message', { number })}</small>}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
