/**
 * The time of a message on the current day, else its date. The tooltip has the seconds.
 */
import { useFormats } from '../../i18n';
import { Tooltip } from '../../kit/layers/Tooltip';
import { useToday } from '../../state/hooks/useToday';

/** In ms since 1970. An imported message may have an invalid time. */
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
