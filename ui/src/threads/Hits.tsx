/**
 * What the search found, with the words around it.
 */
import { useQuery } from '@tanstack/react-query';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Hit } from '../ipc/bindings';
import './Sidebar.css';

export function Hits({ query, onHit }: { query: string; onHit: (hit: Hit) => void }) {
  const text = useText();
  const { commands } = useBackend();
  const { data: hits } = useQuery({
    queryKey: ['sessions', 'search', query],
    queryFn: () => commands.search(query, null),
    placeholderData: (previous) => previous,
  });
  if (hits === undefined) return <p className="Sidebar-note">{text('kit.loading')}</p>;
  if (hits.length === 0) {
    return <p className="Sidebar-note">{text('kit.nothingFound', { query })}</p>;
  }
  return (
    <ul className="Sidebar-list" aria-label={text('threads.found')}>
      {hits.map((hit, at) => (
        <li key={at}>
          <button
            type="button"
            className="Sidebar-hit"
            onClick={() => {
              onHit(hit);
            }}
          >
            <strong>{hit.sessionTitle ?? text('threads.untitled')}</strong>
            <span>
              {hit.excerpt.map((piece, index) =>
                piece.found ? <mark key={index}>{piece.text}</mark> : piece.text,
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
