/**
 * The messages that a search over all sessions found, each with an excerpt.
 */
import { useFormats, useText, type Translate } from '../i18n';
import type { SearchHit } from '../ipc/bindings';
import { useSearch } from '../state/queries/useSearch';
import { maxSearchHits } from '../state/app/searchLimits';
import { useToday } from '../state/hooks/useToday';
import './Sidebar.css';

type SearchResultsProps = {
  /** The debounced query; empty: the user is still typing. */
  query: string;
  onHit: (hit: SearchHit) => void;
};

export function SearchResults({ query, onHit }: SearchResultsProps) {
  const text = useText();
  // The result count names the query that it belongs to.
  const { data: found } = useSearch(query);
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
      {hits.map((hit, index) => (
        <li key={index}>
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

/** The date tells sessions of the same name apart. An imported message may have an invalid one. */
function SearchResultDate({ at }: { at: number }) {
  const formats = useFormats();
  const today = useToday();
  return Number.isNaN(new Date(at).getTime()) ? null : <span>{formats.when(at, today)}</span>;
}
