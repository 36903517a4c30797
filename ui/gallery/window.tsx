/**
 * The whole window on a backend in memory, to be looked at while developing: `npx vite`, then
 * /gallery/window.html?scene=long&lang=zh&theme=dark. The scenes are in scene.ts. Not part of what
 * is built.
 */
import { createRoot } from 'react-dom/client';
import '../src/styles/index.css';
import { App } from '../src/app/App';
import { scene } from './scene';

const asked = new URLSearchParams(window.location.search);
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <App
      backend={scene(
        asked.get('scene') ?? 'long',
        asked.get('lang'),
        asked.get('theme') ?? 'light',
      )}
    />,
  );
}
