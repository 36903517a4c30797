/**
 * The complete tool output, loaded in portions: it may have megabytes.
 */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionId, WholeOutput } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { CopyButton } from '../../kit/notifications/CopyButton';
import { Dialog } from '../../kit/overlays/Dialog';
import { Spinner } from '../../kit/display/Spinner';
import { Row } from '../../kit/display/Stack';

/** The length of a portion, in characters. */
const outputPageChars = 100_000;

type ToolOutputDialogProps = {
  tool: string;
  whole: WholeOutput;
  sessionId: SessionId;
  onClose: () => void;
};

export function ToolOutputDialog({ tool, whole, sessionId, onClose }: ToolOutputDialogProps) {
  const text = useText();
  const formats = useFormats();
  const { commands, desktop } = useBackend();
  const read = (start: number, chars: number) =>
    commands.storedOutput(sessionId, whole.id, start, chars);
  const { data, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['output', sessionId, whole.id],
    queryFn: ({ pageParam }) => read(pageParam, outputPageChars),
    initialPageParam: 0,
    getNextPageParam: (_last, _all, start) =>
      start + outputPageChars < whole.chars ? start + outputPageChars : undefined,
    gcTime: 0,
  });
  const shown = Math.min(whole.chars, (data?.pages.length ?? 0) * outputPageChars);
  return (
    <Dialog
      title={text('tools.whole', { tool })}
      onClose={onClose}
      size="full"
      actions={
        <Row>
          <span>{text('tools.shown', { shown: formats.exact(shown), chars: whole.chars })}</span>
          {hasNextPage && (
            <Button disabled={isFetching} onClick={() => void fetchNextPage()}>
              {text('tools.showMore')}
            </Button>
          )}
          <CopyButton
            worded
            label={text('tools.copyWhole')}
            copy={() => read(0, whole.chars).then((all) => desktop.copyText(all))}
          />
        </Row>
      }
    >
      {data === undefined && <Spinner>{text('kit.loading')}</Spinner>}
      {data?.pages.map((piece, at) => (
        <pre key={at} className="Tool-piece">
          {piece}
        </pre>
      ))}
    </Dialog>
  );
}
