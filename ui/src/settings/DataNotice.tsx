/**
 * Above the conversation: the database was found damaged while it is open, which stays for as long as it
 * is so; or its daily copy cannot be made, until the person has read it. That stays in the settings.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { IconButton } from '../kit/IconButton';
import { faultWords, uncopiedWords } from '../state/faults';
import { usePlaces } from '../state/reading';
import './SettingsNotice.css';

export function DataNotice({ onCopies }: { onCopies: () => void }) {
  const text = useText();
  const { data: places } = usePlaces();
  const [read, setRead] = useState<string | null>(null);
  const toCopies = <Button onClick={onCopies}>{text('data.toCopies')}</Button>;
  if (places?.damage)
    return (
      <div className="SettingsNotice">
        <Banner kind="danger" actions={toCopies}>
          <p>{faultWords(text, places.damage)}</p>
          <p>{text('data.damagedHint')}</p>
        </Banner>
      </div>
    );
  const why = places?.uncopied ? uncopiedWords(text, places.uncopied) : null;
  if (why === null || why === read) return null;
  return (
    <div className="SettingsNotice">
      <Banner kind="warning" actions={toCopies}>
        {why}
      </Banner>
      <IconButton
        label={text('kit.dismiss')}
        icon="close"
        onClick={() => {
          setRead(why);
        }}
      />
    </div>
  );
}
