/**
 * A text that the user is asked to approve: invisible characters are shown as codes, in the order of the
 * text.
 */
import { useText } from '../../i18n';
import { splitInvisible } from './invisibleChars';
import './EscapedText.css';

export function EscapedText({ words }: { words: string }) {
  const text = useText();
  return splitInvisible(words).map((piece, at) => {
    if ('words' in piece) return piece.words;
    const isUnseen = 'unseen' in piece;
    return (
      <mark key={at} className={isUnseen ? 'Shown-unseen' : 'Shown-empty'}>
        {isUnseen ? piece.unseen : text('kit.emptyLines', { count: piece.emptyLines })}
      </mark>
    );
  });
}
