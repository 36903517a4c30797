/**
 * Renders inline nodes. A long reply has thousands of them, and React's data for a component is larger than
 * their text: only nodes with behaviour are components.
 */
import type { ReactNode } from 'react';
import { useMarkdownActions } from './markdownActions';
import { Formula } from './Formula';
import { RemoteImage } from './RemoteImage';
import type { Inline } from '../parse/ast';

export function renderInlines(inlines: readonly Inline[]): ReactNode {
  const [first] = inlines;
  // A single text is passed as the only child: React keeps no node for it.
  if (inlines.length === 1 && first?.type === 'text') return first.text;
  return inlines.map(renderInline);
}

function renderInline(inline: Inline, at: number): ReactNode {
  switch (inline.type) {
    case 'text':
      return inline.text;
    case 'break':
      return <br key={at} />;
    case 'code':
      return <code key={at}>{inline.text}</code>;
    case 'math':
      return <Formula key={at} tex={inline.tex} display={inline.display} />;
    case 'strong':
      return <strong key={at}>{renderInlines(inline.children)}</strong>;
    case 'emphasis':
      return <em key={at}>{renderInlines(inline.children)}</em>;
    case 'deleted':
      return <del key={at}>{renderInlines(inline.children)}</del>;
    case 'link':
      return (
        <ExternalLink key={at} href={inline.href}>
          {renderInlines(inline.children)}
        </ExternalLink>
      );
    case 'image':
      return <RemoteImage key={at} src={inline.src} alt={inline.alt} />;
  }
}

/** Opens in the browser, never in the app window; the tooltip shows the URL. */
function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
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
        if (event.button === 1) openLink(href);
      }}
    >
      {children}
    </a>
  );
}
