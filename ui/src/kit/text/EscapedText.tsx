/**
 * A text that somebody is asked about: all of it is to be seen, in the order in which it is read by what
 * it is for.
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
