/**
 * The user's HTTP headers, one a line. A line that is no header stays in the field and is not used.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { TextArea } from '../../kit/fields/TextArea';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';

type HeaderMap = Readonly<Record<string, string>>;
type HeadersFieldProps = { value: HeaderMap; onChange: (headers: HeaderMap) => void };

const headerLine = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*(\S.*?)\s*$/;

/** null: a line is no header. */
function parseHeaders(words: string): HeaderMap | null {
  const lines = words.split('\n').filter((written) => written.trim() !== '');
  const read = lines.map((written) => headerLine.exec(written));
  const pairs = read.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? '']] : []));
  return pairs.length === lines.length
    ? (Object.fromEntries(pairs) as Record<string, string>)
    : null;
}

export function HeadersField({ value, onChange }: HeadersFieldProps) {
  const text = useText();
  const [words, setWords] = useState(() =>
    Object.entries(value)
      .map(([name, content]) => `${name}: ${content}`)
      .join('\n'),
  );
  const isWrong = parseHeaders(words) === null;
  // The text differs from what would be saved.
  useUnsavedForm(isWrong);
  return (
    <TextArea
      label={text('providers.headers')}
      hint={text('providers.headersHint')}
      error={isWrong ? text('providers.headersWrong') : undefined}
      rows={2}
      spellCheck={false}
      value={words}
      onChange={(written) => {
        setWords(written);
        const headers = parseHeaders(written);
        if (headers) onChange(headers);
      }}
    />
  );
}
