/**
 * The sessions, and what is found in them.
 */
import { useText } from '../i18n';
import type { SearchHit, SessionId, SessionItem } from '../ipc/bindings';
import { Button } from '../kit/controls/Button';
import { useComposedText } from '../kit/layers/useComposedText';
import { ErrorBoundary } from '../kit/display/ErrorBoundary';
import { useOverlay } from '../kit/layers/overlayStack';
import { focusHome } from '../kit/a11y/restoreFocus';
import { SearchBox } from '../kit/fields/SearchBox';
import { isComposing } from '../kit/layers/shortcuts';
import { useSessions } from '../state/queries/queries';
import { useLeadingDebounced } from '../state/hooks/useLeadingDebounced';
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
  /** Opens something over the window; the same function every time. */
  onOverlay: (opened: SessionOverlay) => void;
  onNew: () => void;
  onHit: (hit: SearchHit) => void;
  onSettings: () => void;
  /** What is looked for. It outlives the sidebar, which goes with each hit where it is narrow. */
  query: string;
  onQuery: (query: string) => void;
};

const none: readonly SessionItem[] = [];

export function Sidebar(props: SidebarProps) {
  const { open, onOpen, onOverlay, onNew, onHit, onSettings, query, onQuery } = props;
  const text = useText();
  const asked = useComposedText(query).trim();
  const rested = useLeadingDebounced(asked, searchRestMs);
  const { data: sessions } = useSessions();
  const marking = useMultiSelect(sessions ?? none);
  const isDrawer = useOverlay() !== undefined;
  const isMarking = asked === '' && marking.marked.length > 0;
  return (
    // It only hears that no more is to be marked.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="Sidebar"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isMarking || event.defaultPrevented) return;
        if (isComposing(event.nativeEvent)) return;
        event.preventDefault();
        event.stopPropagation();
        marking.clear();
      }}
    >
      <Button icon="add" brief={text('threads.newSession')} keys="Mod+N" onClick={onNew} />
      <SearchBox
        label={text('threads.search')}
        value={query}
        onChange={onQuery}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isMarking || isDrawer) return;
          if (isComposing(event.nativeEvent)) return;
          // Of the window it is the key that stops a reply: who only leaves the search means none.
          event.preventDefault();
          focusHome();
        }}
      />
      <ErrorBoundary holds={asked}>
        {asked === '' ? (
          <SessionList {...{ open, onOpen, onOverlay, marking }} />
        ) : (
          <SearchResults query={rested} onHit={onHit} />
        )}
      </ErrorBoundary>
      {isMarking ? (
        <BulkActions {...marking} />
      ) : (
        <Button
          kind="quiet"
          icon="settings"
          brief={text('settings.settings')}
          keys="Mod+,"
          onClick={onSettings}
        />
      )}
    </div>
  );
}
