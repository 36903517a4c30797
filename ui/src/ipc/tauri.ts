/**
 * The backend that is Tauri.
 */
import { Channel } from '@tauri-apps/api/core';
import type { Backend } from '.';
import { commands, events } from './bindings';
import { desktop } from './desktop';

export const tauriBackend: Backend = {
  commands,
  desktop,
  channel: (hear) => new Channel(hear),
  changes: (heard) => {
    const listening = events.changed.listen(({ payload }) => {
      heard(payload.topics);
    });
    return () => {
      void listening.then((stop) => {
        stop();
      });
    };
  },
};
