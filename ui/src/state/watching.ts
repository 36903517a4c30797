/**
 * Takes up a turn that runs already when its session is opened: after a reload of the window, or
 * begun from elsewhere. Its promise was somebody else's, so its end is what the session says it does.
 */
import { useEffect, useRef } from 'react';
import { useBackend } from '../ipc';
import type { SessionView } from '../ipc/bindings';
import { turns } from './turn';

const asked = new Set<number>();

export function useWatching({ session: { id }, activity }: SessionView) {
  const backend = useBackend();
  const watched = useRef(false);
  useEffect(() => {
    if (turns.get(id).running || asked.has(id)) return;
    asked.add(id);
    const begin = () => {
      if (!turns.get(id).running) turns.begin(id);
    };
    const channel = backend.channel((event) => {
      begin();
      turns.hear(id, event);
    });
    const watch = async () => {
      if (await backend.commands.watch(id, channel)) {
        begin();
        watched.current = true;
      }
    };
    void watch().finally(() => asked.delete(id));
  }, [backend, id]);

  useEffect(() => {
    if (!watched.current || activity === 'replying' || activity === 'asking') return;
    watched.current = false;
    turns.end(id, null);
  }, [activity, id]);
}
