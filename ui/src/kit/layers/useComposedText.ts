/**
 * The text of a field without an unfinished composition of an input method: until a word is chosen, its
 * letters stand in the field, and a search for them is not what the user wants.
 */
import { useEffect, useState } from 'react';

/** During a composition, the text from before it. */
export function useComposedText(words: string): string {
  const [composing, setComposing] = useState(false);
  const [composed, setComposed] = useState(words);
  useEffect(() => {
    // Each input event tells whether it is part of a composition: a missed end event does not block the
    // field.
    const look = (event: Event) => {
      setComposing(event instanceof InputEvent && event.isComposing);
    };
    document.addEventListener('input', look, true);
    document.addEventListener('compositionend', look, true);
    return () => {
      document.removeEventListener('input', look, true);
      document.removeEventListener('compositionend', look, true);
    };
  }, []);
  if (!composing && composed !== words) setComposed(words);
  return composing ? composed : words;
}
