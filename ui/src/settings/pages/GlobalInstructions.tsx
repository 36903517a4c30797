/**
 * "Instructions for every session": sent to every model before the instructions of a session. Saved soon
 * after the user stops typing, and when the field unmounts.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../../i18n';
import { TextArea } from '../../kit/fields/TextArea';
import { useDebounced } from '../../state/hooks/useDebounced';
import type { SettingsPageProps } from '../useSaveSettings';

/** The save waits this long after the last change, in ms. */
const saveDelayMs = 500;

export function GlobalInstructions({ settings, save }: SettingsPageProps) {
  const text = useText();
  const kept = settings.instructions;
  /**
   * The input that is not saved; null: none, and the field shows the saved text. A failed save leaves it.
   */
  const [typed, setTyped] = useState<string | null>(null);
  const words = typed ?? kept ?? '';
  const rested = useDebounced(words, saveDelayMs);
  const keep = () => {
    const instructions = words.trim() === '' ? null : words;
    if (instructions === kept) return;
    save(
      (old) => ({ ...old, instructions }),
      () => {
        setTyped((now) => (now === words ? null : now));
      },
    );
  };
  const keepNow = useEffectEvent(keep);
  useEffect(() => {
    keepNow();
  }, [rested]);
  useEffect(
    () => () => {
      keepNow();
    },
    [],
  );
  return (
    <TextArea
      label={text('settings.everySession')}
      hint={text('settings.everySessionHint')}
      rows={5}
      value={words}
      onChange={setTyped}
      onBlur={keep}
    />
  );
}
