/**
 * Above the conversation, for as long as it is so: the database was found damaged while it is open.
 */
import { useText } from '../i18n';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { faultWords } from '../state/faults';
import { usePlaces } from '../state/reading';
import './SettingsNotice.css';

export function DataNotice({ onCopies }: { onCopies: () => void }) {
  const text = useText();
  const { data: places } = usePlaces();
  if (!places?.damage) return null;
  return (
    <div className="SettingsNotice">
      <Banner kind="danger" actions={<Button onClick={onCopies}>{text('data.toCopies')}</Button>}>
        <p>{faultWords(text, places.damage)}</p>
        <p>{text('data.damagedHint')}</p>
      </Banner>
    </div>
  );
}
