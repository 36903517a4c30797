/**
 * The interface of the UI to the desktop, as a type that a fake backend can implement, and the
 * context with the backend. Nothing else in `src` uses Tauri.
 *
 * The commands and their types are generated from Rust (bindings.ts). A failed command rejects
 * with the tagged error of Rust.
 */
import { createContext, use } from 'react';
import type { Channel } from '@tauri-apps/api/core';
import type { commands, DeepLink, Topic, TurnEvent } from './bindings';
import type { Desktop } from './desktop';

/** The channel of a running turn. */
export type TurnChannel = Channel<TurnEvent>;

export type Backend = {
  /** The commands of Rust. */
  commands: typeof commands;
  /** Dialogs, clipboard, browser and dropped files. */
  desktop: Desktop;
  /** Creates a channel for the events of a turn, or for the words of a side question. */
  channel: <Event = TurnEvent>(receive: (event: Event) => void) => Channel<Event>;
  /** Subscribes to changes of stored data; returns the function that unsubscribes. */
  changes: (heard: (topics: readonly Topic[]) => void) => () => void;
  /** Subscribes to opened links, including waiting ones; returns the function that unsubscribes. */
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
