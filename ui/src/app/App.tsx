/**
 * The composition root of the window: providers around, features inside.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import type { Backend } from '../ipc';
import { useShortcut } from '../kit/shortcuts';
import { Frame } from './Frame';
import { Providers } from './Providers';
import './App.css';

export function App({ backend }: { backend: Backend }) {
  return (
    <Providers backend={backend} look={{ language: 'system', theme: 'system', zoom: 1 }}>
      <Window />
    </Providers>
  );
}

function Window() {
  const text = useText();
  const [sidebarOpen, setSidebarOpen] = useState(() => window.innerWidth > 720);
  useShortcut('Mod+B', text('app.toggleSidebar'), () => {
    setSidebarOpen(!sidebarOpen);
  });
  return (
    <Frame
      sidebar={null}
      sidebarOpen={sidebarOpen}
      onSidebarClose={() => {
        setSidebarOpen(false);
      }}
      conversation={
        <>
          <div className="App-log" role="log" aria-label={text('transcript.conversation')} />
          <textarea className="App-message" aria-label={text('composer.message')} />
        </>
      }
    />
  );
}
