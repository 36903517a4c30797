/**
 * A message with actions. With `news`, a screen reader reads it as it appears; a danger interrupts other
 * speech.
 */
import type { ReactNode } from 'react';
import { Icon } from '../controls/Icon';
import './Banner.css';

type BannerProps = {
  kind: 'info' | 'warning' | 'danger';
  actions?: ReactNode;
  /** The message has just come up. Without it, a screen reader does not announce the banner. */
  news?: boolean;
  children: ReactNode;
};

const icons = { info: 'info', warning: 'warning', danger: 'error' } as const;

export function Banner({ kind, actions, news = true, children }: BannerProps) {
  const role = kind === 'danger' ? 'alert' : 'status';
  return (
    <div className="Banner" data-kind={kind} role={news ? role : undefined}>
      <Icon name={icons[kind]} />
      <div className="Banner-words">{children}</div>
      {actions !== undefined && <div className="Banner-actions">{actions}</div>}
    </div>
  );
}
