/**
 * The content of an empty view: an explanation and the first action.
 */
import type { ReactNode } from 'react';
import './EmptyState.css';

type EmptyStateProps = { title: string; actions?: ReactNode; children?: ReactNode };

export function EmptyState({ title, actions, children }: EmptyStateProps) {
  return (
    <div className="EmptyState">
      <h2>{title}</h2>
      {children !== undefined && <div>{children}</div>}
      {actions !== undefined && <div className="EmptyState-actions">{actions}</div>}
    </div>
  );
}
