/**
 * What was covered beside what is kept.
 */
import { useQuery } from '@tanstack/react-query';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { PointId, ThreadId } from '../ipc/bindings';
import { Dialog } from '../kit/Dialog';
import { Markdown } from '../markdown/Markdown';
import { keys } from '../state/reading';
import './ContextDialog.css';

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
          <section aria-label={text('context.covered')}>
            <h3>{text('context.covered')}</h3>
            {data.covered.map((message) => (
              <p key={message.id} className="Compare-message">
                {message.parts
                  .flatMap((part) => (part.type === 'text' ? [part.text] : []))
                  .join('\n')}
              </p>
            ))}
          </section>
          <section aria-label={text('context.kept')}>
            <h3>{text('context.kept')}</h3>
            <Markdown text={data.summary} />
            <h4>{text('context.anchors')}</h4>
            <ul>
              {data.anchors.map((anchor, at) => (
                <li key={at} data-left-out={!anchor.carried || undefined}>
                  {anchor.text}
                  {!anchor.carried && <small> ({text('context.leftOut')})</small>}
                </li>
              ))}
            </ul>
          </section>
        </div>
      ) : (
        <p>{text('kit.loading')}</p>
      )}
    </Dialog>
  );
}
