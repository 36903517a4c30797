/**
 * Starts the window. Its frame in index.html is already on screen.
 */
import './styles/index.css';
import { bootstrap } from './app/bootstrap';
import { tauriBackend } from './ipc/tauri';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void bootstrap(root, tauriBackend);
