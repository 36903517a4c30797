/**
 * Words as elements.
 */
import { Fragment } from 'react';
import { useMarkdownActions } from './actions';
import { Formula } from './Formula';
import { RemoteImage } from './RemoteImage';
import type { Inline } from './tree';

export function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  return inlines.map((inline, at) => <InlineView key={at} inline={inline} />);
}

function InlineView({ inline }: { inline: Inline }) {
  switch (inline.type) {
    case 'text':
      return <Fragment>{inline.text}</Fragment>;
    case 'break':
      return <br />;
    case 'code':
      return <code>{inline.text}</code>;
    case 'math':
      return <Formula tex={inline.tex} display={inline.display} />;
    case 'strong':
      return (
        <strong>
          <Inlines inlines={inline.children} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Inlines inlines={inline.children} />
        </em>
      );
    case 'deleted':
      return (
        <del>
          <Inlines inlines={inline.children} />
        </del>
      );
    case 'link':
      return <Link href={inline.href} inlines={inline.children} />;
    case 'image':
      return <RemoteImage src={inline.src} alt={inline.alt} />;
  }
}

/** Opens in the browser, never in the window; its address is seen before it is followed. */
function Link({ href, inlines }: { href: string; inlines: readonly Inline[] }) {
  const { openLink } = useMarkdownActions();
  return (
    <a
      href={href}
      title={href}
      rel="noreferrer"
      draggable={false}
      onClick={(event) => {
        event.preventDefault();
        openLink(href);
      }}
      onAuxClick={(event) => {
        event.preventDefault();
      }}
    >
      <Inlines inlines={inlines} />
    </a>
  );
}
