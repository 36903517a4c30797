/**
 * The first start: what this is, and one click to begin.
 */
import { useText } from '../i18n';
import { Button } from '../kit/Button';

export function Welcome({ onBegin, onProvider }: { onBegin: () => void; onProvider: () => void }) {
  const text = useText();
  return (
    <div className="Welcome">
      <h1>{text('app.welcome')}</h1>
      <p>{text('app.welcomeText')}</p>
      <p>
        <Button kind="primary" onClick={onBegin}>
          {text('app.talkToDemo')}
        </Button>{' '}
        <Button onClick={onProvider}>{text('app.addProvider')}</Button>
      </p>
    </div>
  );
}
