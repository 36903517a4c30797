/**
 * What the search found, with the words around it.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText, type Translate } from '../i18n';
import { useBackend } from '../ipc';
import type { SearchHit } from '../ipc/bindings';
import { queryKeys } from '../state/queries/queries';
import { maxSearchHits } from '../state/app/searchLimits';
import { useToday } from '../state/hooks/useToday';
import './Sidebar.css';

type SearchResultsProps = {
  /** What is looked for; empty until it has rested. */
  query: string;
  onHit: (hit: SearchHit) => void;
};

export function SearchResults({ query, onHit }: SearchResultsProps) {
  const text = useText();
  const { commands } = useBackend();
  const { data: found } = useQuery({
    queryKey: [...queryKeys.sessions, 'search', query],
    queryFn: async () => ({ query, hits: await commands.search(query, null) }),
    enabled: query !== '',
    // What is said of it names the words it was found for.
    placeholderData: (previous) => previous,
  });
  return (
    <>
      <p className="Sidebar-note" role="status">
        {found ? resultCountText(text, found) : text('kit.loading')}
      </p>
      {found && found.hits.length > 0 && <SearchResultList hits={found.hits} onHit={onHit} />}
    </>
  );
}

function resultCountText(
  text: Translate,
  { query, hits }: { query: string; hits: readonly SearchHit[] },
) {
  if (hits.length === 0) return text('kit.nothingFound', { query });
  return text(hits.length < maxSearchHits ? 'threads.places' : 'threads.placesMany', {
    count: hits.length,
  });
}

function SearchResultList({
  hits,
  onHit,
}: {
  hits: readonly SearchHit[];
  onHit: SearchResultsProps['onHit'];
}) {
  const text = useText();
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
            <span className="Sidebar-hit-head">
              <strong dir="auto">{hit.sessionName ?? text('threads.untitled')}</strong>
              {hit.place && <SearchResultDate at={hit.place.at} />}
            </span>
            <span className="Sidebar-hit-words" dir="auto">
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

/**
 * When it was said: sessions of one name are told apart by it. What another program wrote may be no moment.
 */
function SearchResultDate({ at }: { at: number }) {
  const formats = useFormats();
  const today = useToday();
  return Number.isNaN(new Date(at).getTime()) ? null : <span>{formats.when(at, today)}</span>;
}
