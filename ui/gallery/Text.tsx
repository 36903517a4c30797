/**
 * What Markdown can hold, whole or as it arrives (`?stream`).
 */
import { useEffect, useState } from 'react';
import { Markdown } from '../src/markdown/Markdown';
import { MarkdownActionsProvider } from '../src/markdown/actions';
import sample from './sample.md?raw';

export function Text({ streaming }: { streaming: boolean }) {
  const [end, setEnd] = useState(streaming ? 0 : sample.length);
  useEffect(() => {
    if (end >= sample.length) return;
    const timer = setTimeout(() => {
      setEnd(end + 4);
    }, 16);
    return () => {
      clearTimeout(timer);
    };
  }, [end]);
  return (
    <MarkdownActionsProvider
      value={{
        openLink: (address) => {
          console.info('open', address);
        },
        copy: (text) => navigator.clipboard.writeText(text),
        loadPicture: () => Promise.reject(new Error('not in the gallery')),
      }}
    >
      <div className="Gallery-text">
        <Markdown text={sample.slice(0, end)} streaming={end < sample.length} />
      </div>
    </MarkdownActionsProvider>
  );
}
