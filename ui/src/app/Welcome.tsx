/**
 * What stands in a conversation before its first word: what this is, and who will answer.
 */
import { useText } from '../i18n';
import { Button } from '../kit/Button';

export function Welcome({ onProvider }: { onProvider: () => void }) {
  const text = useText();
  return (
    <div className="Welcome">
      <h1>{text('app.welcome')}</h1>
      <p>{text('app.welcomeText')}</p>
      <p>{text('app.talkToDemo')}</p>
      <p>
        <Button onClick={onProvider}>{text('app.addProvider')}</Button>
      </p>
    </div>
  );
}
