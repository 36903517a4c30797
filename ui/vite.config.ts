import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Every webview reads woff2: KaTeX's two older formats of each font stay out of the program. */
const onlyWoff2: Plugin = {
  name: 'only-woff2',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('katex.min.css')
      ? code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)/g, '')
      : undefined,
};

export default defineConfig({
  plugins: [react(), onlyWoff2],
  // Tauri shows the Rust compiler's messages in the same terminal and expects this port.
  clearScreen: false,
  server: { port: 1420, strictPort: true },
  worker: { format: 'es' },
  build: {
    // The oldest webviews Tauri 2 runs on: WebKitGTK 2.46, macOS 14, Edge evergreen.
    target: 'safari17.5',
    // A font or a WASM inlined as base64 would be loaded by everyone at start.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./test-setup.ts'],
    restoreMocks: true,
    // Machines that build at the same time are slow; only what hangs is to fail by this.
    testTimeout: 60_000,
  },
});
