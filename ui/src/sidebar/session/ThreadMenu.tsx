/**
 * The header of a session: its title and its threads, the current one first, then the archived ones. The
 * first few and the shown one have buttons; the others are in a menu.
 */
import { useId, type ReactNode } from 'react';
import { useText } from '../../i18n';
import type { SessionView, Thread, ThreadId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Icon } from '../../kit/controls/Icon';
import { Menu, MenuItem } from '../../kit/controls/Menu';
import { VisuallyHidden } from '../../kit/a11y/VisuallyHidden';
import './ThreadMenu.css';

type ThreadMenuProps = {
  view: SessionView;
  shown: ThreadId;
  onShow: (thread: ThreadId) => void;
  onNew: () => void;
  /** More buttons for the session. */
  children?: ReactNode;
};

export function ThreadMenu({ view, shown, onShow, onNew, children }: ThreadMenuProps) {
  const text = useText();
  const hintId = useId();
  const { currentThread } = view.session;
  const title = view.name ?? text('threads.untitled');
  const { visible, others } = splitThreads(view.threads, shown);
  return (
    <header className="ThreadMenu">
      <h1 title={title} dir="auto">
        {title}
      </h1>
      {view.threads.length > 1 ? (
        <ul aria-label={text('threads.threads')}>
          {visible.map((thread) => (
            <li key={thread.id}>
              <Button
                kind="quiet"
                aria-current={thread.id === shown || undefined}
                onClick={() => {
                  onShow(thread.id);
                }}
              >
                <ThreadName {...{ thread, currentThread }} />
              </Button>
            </li>
          ))}
          {others.length > 0 && (
            <li>
              <Menu
                trigger={
                  <Button
                    kind="quiet"
                    aria-label={text('threads.moreThreads', { count: others.length })}
                  >
                    {text('threads.more', { count: others.length })}
                    <Icon name="chevron-down" />
                  </Button>
                }
              >
                {others.map(({ id, number }) => (
                  <MenuItem
                    key={id}
                    onSelect={() => {
                      onShow(id);
                    }}
                  >
                    {text('threads.thread', { number })}
                  </MenuItem>
                ))}
              </Menu>
            </li>
          )}
        </ul>
      ) : (
        // A single thread is listed for screen readers only.
        <VisuallyHidden>
          <ul aria-label={text('threads.threads')}>
            {visible.map((thread) => (
              <li key={thread.id}>
                <ThreadName {...{ thread, currentThread }} />
              </li>
            ))}
          </ul>
        </VisuallyHidden>
      )}
      <Button
        kind="quiet"
        icon="chat"
        brief={text('threads.newThread')}
        hint={text('threads.newThreadHint')}
        aria-describedby={hintId}
        disabled={view.isEmpty}
        onClick={onNew}
      />
      {children}
      <span id={hintId} hidden>
        {text('threads.newThreadHint')}
      </span>
    </header>
  );
}

/** One element: the gap between a button's children would also part its text. */
function ThreadName({ thread, currentThread }: { thread: Thread; currentThread: ThreadId }) {
  const text = useText();
  return (
    <span>
      {text('threads.thread', { number: thread.number })}
      {thread.id === currentThread && (
        <span className="ThreadMenu-current">{` · ${text('threads.current')}`}</span>
      )}
    </span>
  );
}

/** The threads that fit beside the title. */
const maxThreadsInHeader = 3;

function splitThreads(threads: readonly Thread[], shown: ThreadId) {
  const first = threads.slice(0, maxThreadsInHeader);
  const current = threads.find(({ id }) => id === shown);
  const visible = !current || first.includes(current) ? first : [...first.slice(0, -1), current];
  return { visible, others: threads.filter((thread) => !visible.includes(thread)) };
}
