/**
 * Starts the window. The frame in index.html is already on screen; React replaces it.
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/index.css';
import { App } from './app/App';
import { tauriBackend } from './ipc/tauri';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App backend={tauriBackend} />
  </StrictMode>,
);
