/**
 * An error of a further page of the transcript, with a retry.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../../i18n';
import type { ThreadId } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { errorText, toAppError } from '../../state/text/errorText';
import { queryKeys } from '../../state/queries/queries';
import type { useTranscript } from '../../state/queries/transcriptQuery';

type PartialLoadErrorProps = {
  threadId: ThreadId;
  pages: ReturnType<typeof useTranscript>;
  /** Above the transcript, for the previous pages. */
  above: boolean;
};

export function PartialLoadError({ threadId, pages, above }: PartialLoadErrorProps) {
  const text = useText();
  const client = useQueryClient();
  const unread = failedPart(pages);
  if (unread === null || (unread === 'earlier') !== above) return null;
  const again = () => {
    if (unread === 'earlier') void pages.fetchPreviousPage();
    else if (unread === 'later') void pages.fetchNextPage();
    // A loaded page may be the one that fails: the thread is read again from its end.
    else void client.resetQueries({ queryKey: [...queryKeys.thread(threadId), 'pages'] });
  };
  return (
    <Banner kind="danger" actions={<Button onClick={again}>{text('kit.tryAgain')}</Button>}>
      {text(`transcript.unread_${unread}`, { why: errorText(text, toAppError(pages.error)) })}
    </Banner>
  );
}

/** Only while pages are shown; an error of the first page is shown in their place. */
function failedPart(pages: PartialLoadErrorProps['pages']): 'earlier' | 'later' | 'changes' | null {
  if (pages.isFetchPreviousPageError) return 'earlier';
  if (pages.isFetchNextPageError) return 'later';
  return pages.isRefetchError ? 'changes' : null;
}
