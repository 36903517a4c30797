/**
 * Something the person should know, with what can be done about it. Where that is news, a danger
 * interrupts a screen reader, and the rest waits for its turn.
 */
import type { ReactNode } from 'react';
import { Icon } from '../controls/Icon';
import './Banner.css';

type BannerProps = {
  kind: 'info' | 'warning' | 'danger';
  actions?: ReactNode;
  /** It has just come about; what is read again later says nothing by itself. */
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
