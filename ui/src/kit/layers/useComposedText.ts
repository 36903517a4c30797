/**
 * What is written, without what an input method is still asked for: until a word is chosen its letters
 * stand in the box, and whatever would be found for them is not what is looked for.
 */
import { useEffect, useState } from 'react';

/** The words of a box as they were before what is being composed in it; all of them, where nothing is. */
export function useComposedText(words: string): string {
  const [composing, setComposing] = useState(false);
  const [composed, setComposed] = useState(words);
  useEffect(() => {
    // Each input says whether it belongs to one: no end that is not heard of leaves the box mute.
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
