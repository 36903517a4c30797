/**
 * The sidebar: the list of sessions, or the results of a search in them.
 */
import { useText } from '../i18n';
import type { SearchHit, SessionId, SessionItem } from '../ipc/bindings';
import { Button } from '../kit/controls/Button';
import { useComposedText } from '../kit/keyboard/useComposedText';
import { ErrorBoundary } from '../kit/display/ErrorBoundary';
import { useOverlay } from '../kit/layers/overlayStack';
import { focusHome } from '../kit/a11y/restoreFocus';
import { SearchBox } from '../kit/fields/SearchBox';
import { isComposing } from '../kit/keyboard/shortcuts';
import { useSessions } from '../state/queries/queries';
import { useDebounced } from '../state/hooks/useDebounced';
import { searchRestMs } from '../state/app/searchLimits';
import { SearchResults } from './SearchResults';
import { BulkActions } from './BulkActions';
import { useMultiSelect } from './multiSelect';
import { SessionList } from './SessionList';
import type { SessionOverlay } from './session/SessionOverlays';
import './Sidebar.css';

type SidebarProps = {
  open: SessionId | null;
  onOpen: (session: SessionId) => void;
  /** Opens a dialog about a session; a stable function. */
  onOverlay: (overlay: SessionOverlay) => void;
  onNew: () => void;
  onHit: (hit: SearchHit) => void;
  onSettings: () => void;
  /** The search query. It outlives the sidebar: in a narrow app window each hit closes that. */
  query: string;
  onQuery: (query: string) => void;
};

const none: readonly SessionItem[] = [];

export function Sidebar(props: SidebarProps) {
  const { open, onOpen, onOverlay, onNew, onHit, onSettings, query, onQuery } = props;
  const text = useText();
  const trimmedQuery = useComposedText(query).trim();
  const debouncedQuery = useDebounced(trimmedQuery, searchRestMs);
  const { data: sessions } = useSessions();
  const selection = useMultiSelect(sessions ?? none);
  const isDrawer = useOverlay() !== undefined;
  const isSelecting = trimmedQuery === '' && selection.selected.length > 0;
  return (
    // The handler only ends the selection.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="Sidebar"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isSelecting || event.defaultPrevented) return;
        if (isComposing(event.nativeEvent)) return;
        event.preventDefault();
        event.stopPropagation();
        selection.clear();
      }}
    >
      <Button icon="add" brief={text('threads.newSession')} keys="Mod+N" onClick={onNew} />
      <SearchBox
        label={text('threads.search')}
        value={query}
        onChange={onQuery}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isSelecting || isDrawer) return;
          if (isComposing(event.nativeEvent)) return;
          // Elsewhere in the app window Escape stops a reply.
          event.preventDefault();
          focusHome();
        }}
      />
      <ErrorBoundary holds={trimmedQuery}>
        {trimmedQuery === '' ? (
          <SessionList {...{ open, onOpen, onOverlay, selection }} />
        ) : (
          <SearchResults query={debouncedQuery} onHit={onHit} />
        )}
      </ErrorBoundary>
      {isSelecting ? (
        <BulkActions {...selection} />
      ) : (
        <Button
          kind="quiet"
          icon="settings"
          brief={text('app.settings')}
          keys="Mod+,"
          onClick={onSettings}
        />
      )}
    </div>
  );
}
