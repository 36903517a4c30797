/**
 * The backend that is Tauri.
 */
import type { Backend } from '.';
import { commands } from './bindings';
import { desktop } from './desktop';

export const tauriBackend: Backend = { commands, desktop };
