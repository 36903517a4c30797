/**
 * When a message was written: the time on the present day, the date before. To the second on hover.
 */
import { useFormats } from '../../i18n';
import { Tooltip } from '../../kit/layers/Tooltip';
import { useToday } from '../../state/hooks/useToday';

/** In ms since 1970. What another program wrote into its file may be no moment at all. */
export function Timestamp({ at }: { at: number }) {
  const formats = useFormats();
  const today = useToday();
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  return (
    <Tooltip content={formats.moment(at)}>
      <time className="Message-when" dateTime={moment.toISOString()}>
        {formats.when(at, today)}
      </time>
    </Tooltip>
  );
}
