/**
 * "Instructions for every session": what every model is told before whatever a session says itself.
 * Kept when it rests, and at the latest when the field goes away.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../../i18n';
import { TextArea } from '../../kit/fields/TextArea';
import { useDebounced } from '../../state/hooks/useDebounced';
import type { SettingsPageProps } from '../useSaveSettings';

/** How long words rest before they are kept, in ms. */
const saveDelayMs = 500;

export function GlobalInstructions({ settings, save }: SettingsPageProps) {
  const text = useText();
  const kept = settings.instructions;
  /**
   * Null: nothing was typed here that is not kept, and the field follows what is. Saving may fail: then it
   * stays.
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
