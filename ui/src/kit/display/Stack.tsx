/**
 * Layouts: `Stack` puts its children below each other, `Row` beside each other, with the gaps of the grid.
 */
import type { ReactNode } from 'react';
import './Stack.css';

export function Stack({ children }: { children: ReactNode }) {
  return <div className="Stack">{children}</div>;
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="Stack-row">{children}</div>;
}
