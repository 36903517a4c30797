/**
 * The whole window on a backend in memory, to be looked at while developing: `npx vite`, then
 * /gallery/window.html?scene=long&lang=zh&theme=dark. The scenes are in scene.ts. Not part of what
 * is built.
 */
import '../src/styles/index.css';
import { bootstrap } from '../src/app/bootstrap';
import { scene } from './scene';

const asked = new URLSearchParams(window.location.search);
const root = document.getElementById('root');
if (root) {
  const backend = scene(
    asked.get('scene') ?? 'long',
    asked.get('lang'),
    asked.get('theme') ?? 'light',
  );
  void bootstrap(root, backend);
}
