/**
 * Finds text in the shown thread, also in messages that a compaction covers. The backend searches the whole
 * thread: the page holds only a few of its messages. The newest match comes first. A match on a branch that
 * is not shown opens only on request: the next message would continue that branch.
 */
import { useEffect, useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ThreadId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useFocusWhileOpen } from '../../kit/a11y/focus';
import { IconButton } from '../../kit/controls/IconButton';
import { isComposing, isMac, useShortcut } from '../../kit/keyboard/shortcuts';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import type { MessageScrollTarget, MatchPosition } from '../scroll/scrollToMatch';
import { useFindNavigation } from './useFindNavigation';
import './FindBar.css';

type FindBarProps = {
  threadId: ThreadId;
  /** Changes with each shortcut: the bar then selects its text, ready to be replaced. */
  openCount: number;
  /** Where the match is in the message that was scrolled to; null: not known yet. */
  matchPosition: MatchPosition | null;
  /** A stable function, as is `onJump`. */
  onHighlight: (words: readonly string[]) => void;
  onJump: (target: MessageScrollTarget) => void;
  onClose: () => void;
};

export function FindBar(props: FindBarProps) {
  const { openCount, onClose } = props;
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const [query, setQuery] = useState('');
  const find = useFindNavigation({ ...props, query });
  const { messageId, isShown } = find;
  const isEmpty = !find.found || find.found.length === 0;
  const input = useFocusWhileOpen<HTMLInputElement>();
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [openCount, input]);

  const toOlder = () => {
    find.step(1);
  };
  const toNewer = () => {
    find.step(-1);
  };
  useShortcut(isMac ? 'Mod+G' : 'F3', text('finding.toPrevious'), toOlder);
  useShortcut('Shift+F3', text('finding.toNext'), toNewer);
  return (
    // Escape closes the bar wherever in it the focus is.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className="FindBar"
      role="search"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
        event.preventDefault();
        onClose();
      }}
    >
      <input
        ref={input}
        type="search"
        className="Input"
        aria-label={text('finding.find')}
        placeholder={text('finding.find')}
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          find.reset();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          if (event.shiftKey) toNewer();
          else toOlder();
        }}
      />
      <FindStatus find={find} />
      {messageId !== undefined && isShown === false && (
        <Button
          kind="quiet"
          onClick={() => {
            reportError(commands.revealMessage(messageId));
            input.current?.focus();
          }}
        >
          {text('finding.showVersion')}
        </Button>
      )}
      <IconButton
        label={text('finding.previous')}
        icon="chevron-up"
        keys="Enter"
        disabled={isEmpty}
        onClick={toOlder}
      />
      <IconButton
        label={text('finding.next')}
        icon="chevron-down"
        keys="Shift+Enter"
        disabled={isEmpty}
        onClick={toNewer}
      />
      <IconButton label={text('kit.close')} icon="close" keys="Escape" onClick={onClose} />
    </div>
  );
}

/** "3 of 12", also inside the message, and whether the match is on another branch. */
function FindStatus({ find }: { find: ReturnType<typeof useFindNavigation> }) {
  const { found, hasMore, index, position, isShown } = find;
  const text = useText();
  const count = found?.length ?? 0;
  // Counted from the beginning of the thread; if older matches are not known, from the newest match.
  const fromTop = (newer: number, all: number) => (hasMore ? newer + 1 : all - newer);
  const newerInMessage = position ? position.count - position.at - 1 : 0;
  return (
    <span className="FindBar-place" role="status">
      {found &&
        (count === 0
          ? text('finding.none')
          : text(hasMore ? 'finding.placeMany' : 'finding.place', {
              at: fromTop(index, count),
              count,
            }))}
      {position &&
        position.count > 1 &&
        ` · ${text('finding.within', { at: fromTop(newerInMessage, position.count), count: position.count })}`}
      {isShown === false && ` · ${text('finding.elsewhere')}`}
    </span>
  );
}
