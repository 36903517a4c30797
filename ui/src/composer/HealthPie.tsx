/**
 * D16: the reported size of the last prompt as a small pie, with ticks at optimal and critical.
 */
import { useFormats, useText } from '../i18n';
import type { SessionId } from '../ipc/bindings';
import { Tooltip } from '../kit/Tooltip';
import { useHealth } from '../state/reading';

const around = 2 * Math.PI * 6;

export function HealthPie({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const formats = useFormats();
  const { data } = useHealth(sessionId);
  const health = data?.latest;
  const level = health?.level ?? 'unavailable';
  const share = Math.min(1, health?.hardUtil ?? 0);
  const { prompt = null, limit = null } = health ?? {};
  const numbers =
    prompt !== null && limit !== null
      ? `${formats.exact(prompt)} / ${formats.exact(limit)} · ${formats.percent(prompt / limit)}`
      : text('context.unknown');
  const ticks = [health?.optimal ?? null, health?.critical ?? null].flatMap((at) =>
    at !== null && limit !== null ? [at / limit] : [],
  );
  const name = text(`context.${level}`);
  return (
    <Tooltip content={[name, numbers].join(' · ')}>
      <svg
        className="HealthPie"
        viewBox="0 0 16 16"
        role="img"
        aria-label={text('context.health', { level: name })}
        data-level={level}
      >
        <circle cx="8" cy="8" r="6" className="HealthPie-ring" />
        <circle
          cx="8"
          cy="8"
          r="6"
          className="HealthPie-fill"
          strokeDasharray={`${share * around} ${around}`}
        />
        {ticks.map((tick) => (
          <line
            key={tick}
            x1="8"
            y1="0"
            x2="8"
            y2="3"
            transform={`rotate(${tick * 360} 8 8)`}
            className="HealthPie-tick"
          />
        ))}
      </svg>
    </Tooltip>
  );
}
