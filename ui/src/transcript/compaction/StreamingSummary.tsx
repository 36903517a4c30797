/**
 * A summary that is being written: its end beside a line that expands to the whole text. It is not
 * announced to screen readers: they are told that a compaction runs.
 */
import { useLayoutEffect, useRef, useState } from 'react';
import { useText } from '../../i18n';
import { Disclosure } from '../../kit/controls/Disclosure';
import { isScrolledToEnd } from '../scroll/stickToBottom';

/** The shown length of its end, in characters: more than a line has room for. */
const tailChars = 160;

export function StreamingSummary({ words }: { words: string }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  return (
    <div className="SummaryArriving" data-open={open || undefined}>
      <Disclosure label={text('transcript.summaryArriving')} onOpen={setOpen}>
        <StreamingSummaryText words={words} />
      </Disclosure>
      {!open && (
        <span className="SummaryArriving-last" aria-hidden="true">
          <span>{words.trimEnd().slice(-tailChars).split('\n').at(-1)}</span>
        </span>
      )}
    </div>
  );
}

/** The text, scrolled to its end until the user scrolls up. */
function StreamingSummaryText({ words }: { words: string }) {
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && following.current) element.scrollTop = element.scrollHeight;
  }, [words]);
  return (
    <div
      ref={box}
      className="SummaryArriving-words"
      role="group"
      aria-label={text('transcript.summaryArriving')}
      // Focusable, so that the arrow keys scroll it.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        following.current = isScrolledToEnd(currentTarget);
      }}
    >
      <p className="Message-words" dir="auto">
        {words}
      </p>
    </div>
  );
}
