/**
 * D16: the reported size of the last prompt as a small pie, with ticks where caution and critical begin, as
 * far as that is known. Each level has a shape of its own beside its colour. Where a compaction is due, it
 * says that, so that it never says "healthy" beside it.
 */
import { useId } from 'react';
import { useFormats, useText } from '../i18n';
import type { HealthLevel, SessionId } from '../ipc/bindings';
import { Tooltip } from '../kit/layers/Tooltip';
import { VisuallyHidden } from '../kit/a11y/VisuallyHidden';
import { useHealth } from '../state/queries/queries';
import './ContextHealthRing.css';

const ringCircumference = 2 * Math.PI * 6;

/** What stands in the middle of the ring. */
const marks: Record<HealthLevel | 'due', string> = {
  unavailable: 'M6.2 6.4a1.8 1.8 0 1 1 2.6 1.6q-.8.4-.8 1.2M8 11.4v.01',
  healthy: '',
  caution: 'M8 5.6v2.8M8 10.4v.01',
  critical: 'M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2',
  due: 'M6.3 5.4L8 7l1.7-1.6M6.3 10.6L8 9l1.7 1.6',
};

type ContextHealthRingProps = {
  sessionId: SessionId;
  /** What the next message sets off. */
  due: 'compaction' | 'archiving' | null;
};

export function ContextHealthRing({ sessionId, due }: ContextHealthRingProps) {
  const id = useId();
  const text = useText();
  const formats = useFormats();
  const { data } = useHealth(sessionId);
  const health = data?.latest;
  const level = health?.level ?? 'unavailable';
  const share = level === 'unavailable' ? 0 : Math.min(1, health?.hardUtil ?? 0);
  const { prompt = null, limit = null, optimal = null, critical = null } = health ?? {};
  const said = [
    prompt === null
      ? text('health.noReport')
      : text('health.lastRequest', { tokens: formats.exact(prompt) }),
    limit === null ? '' : text('health.limit', { tokens: formats.exact(limit) }),
    prompt !== null && limit !== null ? formats.percent(prompt / limit) : '',
    optimal === null ? '' : text('health.optimal', { tokens: formats.exact(optimal) }),
    critical === null ? '' : text('health.critical', { tokens: formats.exact(critical) }),
  ];
  const numbers = said.filter((words) => words !== '').join(' · ');
  // Where nothing is known of the size, they would be teeth on a ring around a question.
  const ticks = [optimal, critical].flatMap((at) =>
    at !== null && limit !== null && at <= limit && level !== 'unavailable' ? [at / limit] : [],
  );
  const levels = due !== null && level === 'healthy' ? [] : [text(`context.${level}`)];
  const dues = due === null ? [] : [text(`context.${due}Due`)];
  const name = [...levels, ...dues].join(' · ');
  const shape = due !== null && (level === 'healthy' || level === 'unavailable') ? 'due' : level;
  return (
    <>
      <Tooltip content={[name, numbers].join(' · ')}>
        <svg
          className="HealthPie"
          viewBox="0 0 16 16"
          role="img"
          aria-label={text('context.health', { level: name })}
          aria-describedby={id}
          data-level={shape}
        >
          <circle cx="8" cy="8" r="6" className="HealthPie-ring" />
          <circle
            cx="8"
            cy="8"
            r="6"
            className="HealthPie-fill"
            strokeDasharray={`${share * ringCircumference} ${ringCircumference}`}
          />
          {ticks.map((tick) => (
            <line
              key={tick}
              x1="8"
              y1="0.5"
              x2="8"
              y2="3.5"
              transform={`rotate(${tick * 360} 8 8)`}
              className="HealthPie-tick"
            />
          ))}
          <path d={marks[shape]} className="HealthPie-mark" />
        </svg>
      </Tooltip>
      <VisuallyHidden>
        <span id={id}>{numbers}</span>
      </VisuallyHidden>
    </>
  );
}
