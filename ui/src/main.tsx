/**
 * Starts a window. Its frame in index.html is already on screen.
 */
import './styles/index.css';
import { bootstrap } from './app/bootstrap';
import { tauriBackend } from './ipc/tauri';

async function start(root: HTMLElement) {
  if (!new URLSearchParams(window.location.search).has('quick')) {
    await bootstrap(root, tauriBackend);
    return;
  }
  const { bootstrapQuickAsk } = await import('./app/quick/bootstrapQuickAsk');
  await bootstrapQuickAsk(root, tauriBackend);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void start(root);
