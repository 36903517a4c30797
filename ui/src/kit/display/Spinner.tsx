/**
 * A spinner with a text that names what is under way.
 */
import './Spinner.css';

export function Spinner({ children }: { children: string }) {
  return (
    <span className="Spinner">
      <svg viewBox="0 0 14 14" aria-hidden="true">
        <circle cx="7" cy="7" r="6" strokeDasharray="26 12" />
      </svg>
      {children}
    </span>
  );
}
