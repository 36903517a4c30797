/**
 * The composition root of the window: providers around, features inside.
 */
import { useState } from 'react';
import { LanguageProvider, useText } from '../i18n';
import { Frame } from './Frame';
import './App.css';

export function App() {
  return (
    <LanguageProvider choice="system">
      <Window />
    </LanguageProvider>
  );
}

function Window() {
  const text = useText();
  const [sidebarOpen, setSidebarOpen] = useState(true);
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
