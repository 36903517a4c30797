import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
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
  },
});
