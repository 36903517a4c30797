/**
 * A table with an accessible name. Rows are ordinary `<tr>`s; cells with numbers have the class `number`,
 * those with a time `moment`.
 */
import type { ReactNode } from 'react';
import './Table.css';

export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="Table-scroll">
      <table className="Table" aria-label={label}>
        {children}
      </table>
    </div>
  );
}
