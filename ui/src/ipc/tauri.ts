/** The Tauri implementation of the backend. */
import { Channel } from '@tauri-apps/api/core';
import type { Backend } from '.';
import { commands, events } from './bindings';
import { desktop } from './desktop';
import { disableIpcRetryOnUnload } from './disableIpcRetry';

disableIpcRetryOnUnload();

/** Subscribes to batches of topics; returns the function that unsubscribes. */
const changes: Backend['changes'] = (heard) => {
  const listening = events.changed.listen(({ payload }) => {
    heard(payload.topics);
  });
  return () => {
    void listening.then((stop) => {
      stop();
    });
  };
};

export const tauriBackend: Backend = {
  commands,
  desktop,
  channel: (hear) => new Channel(hear),
  changes,
  links: (opened) => {
    const take = async () => {
      (await commands.takeLinks()).forEach(opened);
    };
    void take();
    return changes((topics) => {
      if (topics.some(({ topic }) => topic === 'links' || topic === 'everything')) void take();
    });
  },
};
