/**
 * The one door to the desktop: what the window can ask for, as a type that a backend in memory can
 * stand in for, and the backend that is Tauri. Nothing else in `src` knows Tauri.
 *
 * The commands and their types are generated from Rust (bindings.ts). A command that fails rejects
 * with the tagged error of Rust.
 */
import { createContext, use } from 'react';
import type { Channel } from '@tauri-apps/api/core';
import type { commands, DeepLink, Topic, TurnEvent } from './bindings';
import type { Desktop } from './desktop';

export type Backend = {
  /** What Rust does. */
  commands: typeof commands;
  /** What the desktop does: dialogs, clipboard, browser, drops. */
  desktop: Desktop;
  /** What a running turn speaks into. */
  channel: (receive: (event: TurnEvent) => void) => Channel<TurnEvent>;
  /** Hears what changed; the function it returns stops hearing. */
  changes: (heard: (topics: readonly Topic[]) => void) => () => void;
  /** Hears the links that wait, and those to come; the function it returns stops hearing. */
  links: (opened: (link: DeepLink) => void) => () => void;
};

const BackendContext = createContext<Backend | null>(null);
export const BackendProvider = BackendContext.Provider;

export function useBackend(): Backend {
  const backend = use(BackendContext);
  if (!backend) throw new Error('useBackend is used outside of a BackendProvider');
  return backend;
}

export type { Desktop, FileFilter } from './desktop';
