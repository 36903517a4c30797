/**
 * D16: the context health as a ring. Its arc is the reported size of the last prompt; ticks mark where the
 * levels caution and critical begin. Each level has a shape beside its colour. While a compaction is due, the
 * ring shows that instead of "healthy".
 */
import { useId } from 'react';
import { useFormats, useText } from '../i18n';
import type { HealthLevel, SessionId } from '../ipc/bindings';
import { Tooltip } from '../kit/layers/Tooltip';
import { VisuallyHidden } from '../kit/a11y/VisuallyHidden';
import type { PendingContextAction } from '../state/queries/estimateQueries';
import { useHealthText } from '../state/text/useHealthText';
import './ContextHealthRing.css';

const ringCircumference = 2 * Math.PI * 6;

/** The shape in the middle of the ring, an SVG path. */
const levelPaths: Record<HealthLevel | 'due', string> = {
  unavailable: 'M6.2 6.4a1.8 1.8 0 1 1 2.6 1.6q-.8.4-.8 1.2M8 11.4v.01',
  healthy: '',
  caution: 'M8 5.6v2.8M8 10.4v.01',
  critical: 'M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2',
  due: 'M6.3 5.4L8 7l1.7-1.6M6.3 10.6L8 9l1.7 1.6',
};

type ContextHealthRingProps = {
  sessionId: SessionId;
  due: PendingContextAction;
};

export function ContextHealthRing({ sessionId, due }: ContextHealthRingProps) {
  const id = useId();
  const text = useText();
  const formats = useFormats();
  const { health, level, name, reason } = useHealthText(sessionId, due);
  const share = level === 'unavailable' ? 0 : Math.min(1, health?.hardUtil ?? 0);
  const { prompt = null, limit = null, optimal = null, critical = null } = health ?? {};
  const details = [
    prompt === null ? '' : text('health.lastRequest', { tokens: formats.exact(prompt) }),
    limit === null ? '' : text('health.limit', { tokens: formats.exact(limit) }),
    prompt !== null && limit !== null ? formats.percent(prompt / limit) : '',
    optimal === null ? '' : text('health.optimal', { tokens: formats.exact(optimal) }),
    critical === null ? '' : text('health.critical', { tokens: formats.exact(critical) }),
  ];
  const numbers = details.filter((detail) => detail !== '').join(' · ');
  // Without a reported size, ticks around the question mark would mean nothing.
  const ticks = [optimal, critical].flatMap((at) =>
    at !== null && limit !== null && at <= limit && level !== 'unavailable' ? [at / limit] : [],
  );
  const shape = due !== null && (level === 'healthy' || level === 'unavailable') ? 'due' : level;
  return (
    <>
      <Tooltip content={`${text('kit.labelled', { label: name, words: reason })}\n${numbers}`}>
        <svg
          className="HealthRing"
          viewBox="0 0 16 16"
          role="img"
          aria-label={text('context.health', { level: name })}
          aria-describedby={id}
          data-level={shape}
        >
          <circle cx="8" cy="8" r="6" className="HealthRing-track" />
          <circle
            cx="8"
            cy="8"
            r="6"
            className="HealthRing-fill"
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
              className="HealthRing-tick"
            />
          ))}
          <path d={levelPaths[shape]} className="HealthRing-shape" />
        </svg>
      </Tooltip>
      <VisuallyHidden>
        <span id={id}>{[reason, numbers].join(' · ')}</span>
      </VisuallyHidden>
    </>
  );
}
