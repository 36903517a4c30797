/**
 * The sessions, and what is found in them.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import type { Hit, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { ErrorBoundary } from '../kit/ErrorBoundary';
import { SearchBox } from '../kit/SearchBox';
import { useRested } from '../state/rested';
import { Hits } from './Hits';
import { SessionList } from './SessionList';
import './Sidebar.css';

type SidebarProps = {
  open: SessionId | null;
  onOpen: (session: SessionId) => void;
  onNew: () => void;
  onHit: (hit: Hit) => void;
  onSettings: () => void;
};

export function Sidebar({ open, onOpen, onNew, onHit, onSettings }: SidebarProps) {
  const text = useText();
  const [query, setQuery] = useState('');
  const asked = query.trim();
  const rested = useRested(asked, 150);
  return (
    <div className="Sidebar">
      <Button icon="add" onClick={onNew}>
        {text('threads.newSession')}
      </Button>
      <SearchBox label={text('threads.search')} value={query} onChange={setQuery} />
      <ErrorBoundary holds={asked}>
        {asked === '' ? (
          <SessionList open={open} onOpen={onOpen} />
        ) : (
          <Hits query={rested} onHit={onHit} />
        )}
      </ErrorBoundary>
      <Button kind="quiet" icon="settings" onClick={onSettings}>
        {text('settings.settings')}
      </Button>
    </div>
  );
}
