/**
 * What Markdown can hold, whole or as it arrives: `?stream`, 60 times as long and at
 * 4,000 characters a second with `?stream=fast`.
 */
import { useEffect, useState } from 'react';
import { Markdown } from '../src/markdown/render/Markdown';
import {
  MarkdownActionsProvider,
  type MarkdownActions,
} from '../src/markdown/render/markdownActions';
import once from './sample.md?raw';

const actions: MarkdownActions = {
  openLink: (address) => {
    console.info('open', address);
  },
  copy: (text) => navigator.clipboard.writeText(text),
  saveCode: null,
  loadPicture: () => Promise.reject(new Error('not in the gallery')),
  loadedPicture: () => null,
  openPicture: null,
};

const longSample = once.repeat(60);

export function Text({ streaming }: { streaming: 'no' | 'slowly' | 'fast' }) {
  const sample = streaming === 'fast' ? longSample : once;
  const [end, setEnd] = useState(streaming === 'no' ? sample.length : 0);
  useEffect(() => {
    if (end >= sample.length) return;
    const timer = setTimeout(() => {
      setEnd(end + (streaming === 'fast' ? 64 : 4));
    }, 16);
    return () => {
      clearTimeout(timer);
    };
  }, [end, sample, streaming]);
  return (
    <MarkdownActionsProvider value={actions}>
      <div className="Gallery-text">
        <Markdown text={sample.slice(0, end)} streaming={end < sample.length} />
      </div>
    </MarkdownActionsProvider>
  );
}
