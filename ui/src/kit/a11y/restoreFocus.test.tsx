import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { useFocusHome, useFocusWhileOpen } from './focus';

/** A window with a box at home; what stands in it can be changed by the test. */
function Window({ children }: { children: ReactNode }) {
  const box = useRef<HTMLTextAreaElement>(null);
  useFocusHome(box);
  return (
    <>
      {children}
      <textarea ref={box} aria-label="Box" />
    </>
  );
}

const button = (name: string) => screen.getByRole('button', { name });
const box = () => screen.getByRole('textbox', { name: 'Box' });

const focused = (element: () => HTMLElement) =>
  waitFor(() => {
    expect(element()).toHaveFocus();
  });

/** A moment in which whoever moves the focus has done so. */
const frame = () => new Promise(requestAnimationFrame);

const row = (key: string, name = 'Next version', disabled = false) => (
  <li key={key}>
    <button>Previous version</button>
    <button disabled={disabled}>{name}</button>
  </li>
);
const rows = (...them: ReactNode[]) => (
  <Window>
    <ol>{them}</ol>
  </Window>
);

test('the focus goes to the same control in what took the place of its own', async () => {
  const { rerender } = render(rows(row('question'), row('answer'), row('next')));
  screen.getAllByRole('button', { name: 'Next version' })[1]?.focus();
  rerender(rows(row('question'), row('other'), row('another')));
  await waitFor(() => {
    expect(screen.getAllByRole('button', { name: 'Next version' })[1]).toHaveFocus();
  });
});

test('where that cannot be pressed any more, it goes to the way back beside it', async () => {
  const { rerender } = render(rows(row('answer')));
  button('Next version').focus();
  rerender(rows(row('other', 'Next version', true)));
  await focused(() => button('Previous version'));
});

test('what only waits does not hand it to what stands beside it, and has it again afterwards', async () => {
  const { rerender } = render(rows(row('answer')));
  button('Next version').focus();
  // As browsers do with what is disabled.
  button('Next version').blur();
  rerender(rows(row('answer', 'Next version', true)));
  await frame();
  expect(document.body).toHaveFocus();
  rerender(rows(row('answer')));
  await focused(() => button('Next version'));
});

test('a control that was only moved keeps it', async () => {
  const { rerender } = render(rows(row('wool', 'Up, wool'), row('flax', 'Up, flax')));
  button('Up, flax').focus();
  rerender(rows(row('flax', 'Up, flax'), row('wool', 'Up, wool')));
  await frame();
  await focused(() => button('Up, flax'));
});

test('without another like it the focus goes to what stands around it, else home', async () => {
  const panel = (inside: ReactNode) => (
    <Window>
      <section aria-label="Panel" tabIndex={-1}>
        {inside}
      </section>
    </Window>
  );
  const { rerender } = render(panel(<button>Delete</button>));
  button('Delete').focus();
  rerender(panel(null));
  await focused(() => screen.getByRole('region', { name: 'Panel' }));
  rerender(<Window>{null}</Window>);
  await focused(box);
});

test('in a dialog what took the place is gone on with where it has nothing of the same name', async () => {
  const dialog = (inside: ReactNode) => (
    <Window>
      <div tabIndex={-1}>{inside}</div>
    </Window>
  );
  const { rerender } = render(dialog(<button key="asks">Compact context</button>));
  button('Compact context').focus();
  rerender(
    dialog(
      <div key="preview">
        <button>Compact now</button>
      </div>,
    ),
  );
  await focused(() => button('Compact now'));
});

test('in the conversation the next words are written, whatever took the place', async () => {
  const { rerender } = render(<Window>{<button key="stop">Stop</button>}</Window>);
  button('Stop').focus();
  rerender(<Window>{<button key="send">Send</button>}</Window>);
  await focused(box);
});

function Message({ onClose }: { onClose: () => void }) {
  const field = useFocusWhileOpen<HTMLTextAreaElement>();
  return (
    <div>
      <textarea ref={field} aria-label="Edit the message" />
      <button onClick={onClose}>Cancel</button>
    </div>
  );
}

function Editable() {
  const [editing, setEditing] = useState(false);
  return (
    <article>
      {editing ? (
        <Message
          onClose={() => {
            setEditing(false);
          }}
        />
      ) : (
        <p>
          <a href="#wool">Wool</a>
        </p>
      )}
      {!editing && (
        <div>
          <button
            onClick={() => {
              setEditing(true);
            }}
          >
            Edit
          </button>
        </div>
      )}
    </article>
  );
}

test('what was opened gives it back to the control that opened it, though that is another by then', async () => {
  const user = userEvent.setup();
  render(
    <Window>
      <Editable />
    </Window>,
  );
  await user.click(button('Edit'));
  expect(screen.getByRole('textbox', { name: 'Edit the message' })).toHaveFocus();
  await user.click(button('Cancel'));
  await focused(() => button('Edit'));
});

test('who has moved on is not called back, nor who left it for nothing', async () => {
  const part = (inside: ReactNode) => <Window>{inside}</Window>;
  const { rerender } = render(part(<button>Retry</button>));
  button('Retry').focus();
  button('Retry').blur();
  await frame();
  rerender(part(null));
  await frame();
  expect(document.body).toHaveFocus();
  rerender(part(<Message onClose={() => undefined} />));
  box().focus();
  rerender(part(null));
  await frame();
  expect(box()).toHaveFocus();
});

test('what was pressed has it also where a press does not give it', async () => {
  const { rerender } = render(
    <Window>
      <button>Regenerate</button>
    </Window>,
  );
  expect(document.body).toHaveFocus();
  fireEvent.click(button('Regenerate'));
  rerender(<Window>{null}</Window>);
  await focused(box);
});
