/**
 * Something the person should know now, with what can be done about it. A danger interrupts a
 * screen reader, the rest waits for its turn.
 */
import type { ReactNode } from 'react';
import { Icon } from './Icon';
import './Banner.css';

type BannerProps = {
  kind: 'info' | 'warning' | 'danger';
  actions?: ReactNode;
  children: ReactNode;
};

const icons = { info: 'info', warning: 'warning', danger: 'error' } as const;

export function Banner({ kind, actions, children }: BannerProps) {
  return (
    <div className="Banner" data-kind={kind} role={kind === 'danger' ? 'alert' : 'status'}>
      <Icon name={icons[kind]} />
      <div className="Banner-words">{children}</div>
      {actions !== undefined && <div className="Banner-actions">{actions}</div>}
    </div>
  );
}
