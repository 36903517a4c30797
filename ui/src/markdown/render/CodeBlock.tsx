/**
 * A code block: plain while it streams, highlighted once its fence has closed and it is in view. A line
 * that is too long for one element is wrapped, and only the part near the view is mounted.
 */
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useText } from '../../i18n';
import { CopyButton } from '../../kit/notifications/CopyButton';
import { IconButton } from '../../kit/controls/IconButton';
import { useMarkdownActions } from './markdownActions';
import { highlight, isHighlightable, type HighlightedLine } from '../highlight/highlighter';
import { fileExtensionFor } from '../highlight/codeLanguages';
import { hasLongLine } from '../../kit/text/splitLongText';
import { TextPortions } from './TextPortions';

/** Of a line, in px. */
const lineHeight = 22;

/** Code blocks whose long lines are wrapped. A block that unmounts with its group keeps that. */
const wrappedCode = new Set<string>();

type CodeBlockProps = { language: string; code: string; growing: boolean };

export function CodeBlock({ language, code, growing }: CodeBlockProps) {
  const text = useText();
  const { copy, saveCode } = useMarkdownActions();
  const [wraps, setWraps] = useState(() => wrappedCode.has(code));
  const ref = useRef<HTMLDivElement>(null);
  const [coloured, setColoured] = useState<{
    code: string;
    lines: readonly HighlightedLine[];
  } | null>(null);
  const isData = useMemo(() => hasLongLine(code), [code]);
  const wanted = !growing && !isData && isHighlightable(language, code);

  useEffect(() => {
    if (growing) return;
    if (wraps) wrappedCode.add(code);
    else wrappedCode.delete(code);
  }, [wraps, code, growing]);

  useEffect(() => {
    const box = ref.current;
    if (!wanted || !box || typeof IntersectionObserver === 'undefined') return;
    let gone = false;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        // An error leaves the code plain.
        highlight(language, code).then(
          (lines) => {
            if (!gone) setColoured({ code, lines });
          },
          () => undefined,
        );
      },
      { rootMargin: '200px' },
    );
    observer.observe(box);
    return () => {
      gone = true;
      observer.disconnect();
    };
  }, [wanted, language, code]);

  const name = language === '' ? text('markdown.code') : text('markdown.codeIn', { language });
  return (
    <div ref={ref} className="Code" role="group" aria-label={name}>
      <div className="Code-head">
        <span className="Code-language">{language}</span>
        <IconButton
          label={text('markdown.wrapCode')}
          icon="wrap"
          aria-pressed={wraps}
          onClick={() => {
            setWraps(!wraps);
          }}
        />
        {saveCode && !growing && (
          <IconButton
            label={text('markdown.saveCode')}
            icon="download"
            onClick={() => {
              saveCode(code, `code.${fileExtensionFor(language)}`);
            }}
          />
        )}
        <CopyButton label={text('markdown.copyCode')} copy={() => copy(code)} />
      </div>
      {/* Focusable, so that the arrow keys scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={name} data-wraps={wraps || undefined}>
        <code>
          {isData ? (
            <TextPortions text={code} lineHeight={lineHeight}>
              {(portion, at) => (
                <span key={at} className="Code-portion">
                  {portion}
                </span>
              )}
            </TextPortions>
          ) : coloured?.code === code ? (
            <HighlightedCode lines={coloured.lines} />
          ) : (
            <PlainCode code={code} />
          )}
        </code>
      </pre>
    </div>
  );
}

/** The code in runs of lines. Only the last run changes while the code streams. */
function PlainCode({ code }: { code: string }) {
  return splitRuns(code).map((run, at) => <CodeRun key={at} text={run} />);
}

const CodeRun = memo(function CodeRun({ text }: { text: string }) {
  return <span>{text}</span>;
});

/** Cuts at the first line end after each 4,096 characters. */
function splitRuns(code: string): string[] {
  const runs: string[] = [];
  let from = 0;
  while (code.length - from > 4096) {
    const end = code.indexOf('\n', from + 4096);
    if (end < 0) break;
    runs.push(code.slice(from, end + 1));
    from = end + 1;
  }
  runs.push(code.slice(from));
  return runs;
}

const HighlightedCode = memo(function HighlightedCode({
  lines,
}: {
  lines: readonly HighlightedLine[];
}) {
  return lines.map((line, at) => (
    <span key={at}>
      {line.map(([kind, words], place) =>
        kind === null ? (
          words
        ) : (
          <span key={place} className={`Code-${kind}`}>
            {words}
          </span>
        ),
      )}
      {at < lines.length - 1 && '\n'}
    </span>
  ));
});
