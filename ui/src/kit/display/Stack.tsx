/**
 * Things one below the other, or side by side as far as they fit, at the distances of the grid.
 */
import type { ReactNode } from 'react';
import './Stack.css';

export function Stack({ children }: { children: ReactNode }) {
  return <div className="Stack">{children}</div>;
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="Stack-row">{children}</div>;
}
