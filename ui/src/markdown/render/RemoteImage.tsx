/**
 * An image on the network: only its name is shown until the user asks for it, because the request tells the
 * host that the text was read.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { Button } from '../../kit/controls/Button';
import { Spinner } from '../../kit/display/Spinner';
import { useMarkdownActions } from './markdownActions';

type RemoteImageState =
  | { type: 'asking' }
  | { type: 'loading' }
  | { type: 'shown'; address: string }
  | { type: 'failed' };

export function RemoteImage({ src, alt }: { src: string; alt: string }) {
  const text = useText();
  const { loadPicture, loadedPicture, openPicture } = useMarkdownActions();
  const [state, setState] = useState<RemoteImageState>(() => {
    const address = loadedPicture(src);
    return address === null ? { type: 'asking' } : { type: 'shown', address };
  });

  if (state.type === 'shown') {
    const picture = <img className="Markdown-image" src={state.address} alt={alt} />;
    if (!openPicture) return picture;
    const name = alt === '' ? new URL(src).host : alt;
    return (
      <button
        type="button"
        className="Markdown-open"
        aria-label={text('markdown.openImage', { name })}
        onClick={({ currentTarget }) => {
          // Inside a link the label belongs to the link.
          if (!currentTarget.closest('a')) openPicture(state.address, name);
        }}
      >
        {picture}
      </button>
    );
  }

  const load = async (fetchPicture: (address: string) => Promise<string>) => {
    setState({ type: 'loading' });
    try {
      setState({ type: 'shown', address: await fetchPicture(src) });
    } catch {
      setState({ type: 'failed' });
    }
  };

  return (
    <span className="Markdown-picture">
      <span>
        {alt !== '' && `${alt} · `}
        {text('markdown.imageFrom', { host: new URL(src).host })}
      </span>
      {state.type === 'failed' && <span>{text('markdown.imageFailed')}</span>}
      {state.type === 'loading' && <Spinner>{text('kit.loading')}</Spinner>}
      {state.type !== 'loading' && loadPicture && (
        <Button
          icon="image"
          title={src}
          data-opens
          onClick={(event) => {
            // Inside a link the image belongs to the link.
            event.preventDefault();
            event.stopPropagation();
            void load(loadPicture);
          }}
        >
          {text('markdown.loadImage')}
        </Button>
      )}
    </span>
  );
}
