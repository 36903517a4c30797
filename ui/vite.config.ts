import { readFileSync } from 'node:fs';
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

/**
 * `virtual:packages`: the npm packages that are in the program, as [name, version, licence]. Those
 * that only build or test it are marked in the lock file and left out.
 */
const packages: Plugin = {
  name: 'packages',
  resolveId: (id) => (id === 'virtual:packages' ? `\0${id}` : undefined),
  load: (id) => {
    if (id !== '\0virtual:packages') return undefined;
    type Locked = { version: string; license?: string; dev?: true; devOptional?: true };
    const lock = JSON.parse(
      readFileSync(new URL('package-lock.json', import.meta.url), 'utf8'),
    ) as { packages: Record<string, Locked> };
    const found = Object.entries(lock.packages).flatMap(([place, { dev, devOptional, ...of }]) => {
      const name = place.split('node_modules/').at(-1);
      return name && !dev && !devOptional ? [[name, of.version, of.license ?? '?']] : [];
    });
    return `export const packages = ${JSON.stringify(found)};`;
  },
};

export default defineConfig({
  plugins: [react(), onlyWoff2, packages],
  // Tauri shows the Rust compiler's messages in the same terminal and expects this port.
  clearScreen: false,
  server: { port: 1420, strictPort: true },
  worker: { format: 'es' },
  build: {
    // The oldest webviews Tauri 2 runs on: WebKitGTK 2.46, macOS 14.5, Edge evergreen.
    target: 'safari17.5',
    // A font or a WASM inlined as base64 would be loaded by everyone at start.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./test/setup.ts'],
    restoreMocks: true,
    reporters: ['default', './test/reporter.ts'],
    // Machines that build at the same time are slow; only what hangs is to fail by this.
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Time passes in them as it does for a person. What held at the second try only is said
    // (test/reporter.ts).
    retry: 1,
  },
});
