/**
 * The text of a field without an unfinished composition of an input method: until a word is chosen, its
 * letters stand in the field, and a search for them is not what the user wants.
 */
import { useState, useSyncExternalStore } from 'react';

let isComposing = false;

/**
 * Each input event tells whether it is part of a composition: a missed end event does not block the field.
 * The listener runs before the field's own and must not set state: React would render in a microtask between
 * the two and write the value from before the event back into the field, and the letter would be lost.
 */
function onInput(event: Event) {
  isComposing = event instanceof InputEvent && event.isComposing;
}

function subscribe(onChange: () => void) {
  let ended: ReturnType<typeof setTimeout> | undefined;
  const onEnd = () => {
    isComposing = false;
    // After all listeners, for the same reason.
    ended = setTimeout(onChange);
  };
  document.addEventListener('input', onInput, true);
  document.addEventListener('compositionend', onEnd, true);
  return () => {
    clearTimeout(ended);
    isComposing = false;
    document.removeEventListener('input', onInput, true);
    document.removeEventListener('compositionend', onEnd, true);
  };
}

/** During a composition, the text from before it. */
export function useComposedText(words: string): string {
  const composing = useSyncExternalStore(subscribe, () => isComposing);
  const [composed, setComposed] = useState(words);
  if (!composing && composed !== words) setComposed(words);
  return composing ? composed : words;
}
