/**
 * The way to where a key is mended, beside what went wrong for want of a good one.
 */
import { useText } from '../i18n';
import type { Error as Fault } from '../ipc/bindings';
import { Button } from '../kit/Button';

type ProviderWayProps = { fault: Fault; onProviders: () => void };

export function ProviderWay({ fault, onProviders }: ProviderWayProps) {
  const text = useText();
  if (fault.kind !== 'noKey' && fault.kind !== 'unauthorized') return null;
  return (
    <Button kind="quiet" onClick={onProviders}>
      {text('providers.toProviders')}
    </Button>
  );
}
