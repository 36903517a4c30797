/**
 * The head of a session: its title and its threads, the current first, the ended behind it, each
 * readable.
 */
import type { ReactNode } from 'react';
import { useText } from '../i18n';
import type { SessionView, ThreadId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import './ThreadMenu.css';

type ThreadMenuProps = {
  view: SessionView;
  shown: ThreadId;
  onShow: (thread: ThreadId) => void;
  onNew: () => void;
  /** What else belongs to the session as a whole. */
  children?: ReactNode;
};

export function ThreadMenu({ view, shown, onShow, onNew, children }: ThreadMenuProps) {
  const text = useText();
  const { currentThread } = view.session;
  const title = view.name ?? text('threads.untitled');
  return (
    <header className="ThreadMenu">
      <h1 title={title} dir="auto">
        {title}
      </h1>
      {view.threads.length > 1 && (
        <ul aria-label={text('threads.threads')}>
          {view.threads.map((thread) => (
            <li key={thread.id}>
              <Button
                kind="quiet"
                aria-current={thread.id === shown || undefined}
                onClick={() => {
                  onShow(thread.id);
                }}
              >
                {text('threads.thread', { number: thread.number })}
                {thread.id === currentThread && (
                  <span className="ThreadMenu-current">{` · ${text('threads.current')}`}</span>
                )}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button kind="quiet" icon="chat" onClick={onNew}>
        <span data-wide>{text('threads.newThread')}</span>
      </Button>
      {children}
    </header>
  );
}
