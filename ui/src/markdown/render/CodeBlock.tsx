/**
 * A code block: plain while it streams, highlighted once its fence has closed and it is in view. Of long
 * plain code only the part near the view is mounted.
 */
import { memo, useEffect, useRef, useState } from 'react';
import { useText } from '../../i18n';
import { CopyButton } from '../../kit/notifications/CopyButton';
import { IconButton } from '../../kit/controls/IconButton';
import { useMarkdownActions } from './markdownActions';
import { highlight, isHighlightable, type HighlightedLine } from '../highlight/highlighter';
import { fileExtensionFor } from '../highlight/codeLanguages';
import { hasLongLine, isLongText } from '../../kit/text/splitLongText';
import { TextPortions } from './TextPortions';

/** Of a line, in px. */
const lineHeight = 20;

/** A longer line may be cut between two portions: it is wrapped in both. */
const wrappedLine = /[^\n]{2048}/;

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
  const wanted = !growing && isHighlightable(language, code) && !hasLongLine(code);

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
          {coloured?.code === code ? (
            <HighlightedCode lines={coloured.lines} />
          ) : isLongText(code) ? (
            <TextPortions text={code} lineHeight={lineHeight}>
              {(portion, at) => (
                <span
                  key={at}
                  className="Code-portion"
                  data-wraps={wrappedLine.test(portion) || undefined}
                >
                  {portion}
                </span>
              )}
            </TextPortions>
          ) : (
            code
          )}
        </code>
      </pre>
    </div>
  );
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
