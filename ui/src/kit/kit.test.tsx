import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LiveRegionProvider, useAnnounce } from './notifications/LiveRegion';
import { Banner } from './display/Banner';
import { Button } from './controls/Button';
import { Dialog } from './overlays/Dialog';
import { Disclosure } from './controls/Disclosure';
import { ErrorContext } from './display/errorContext';
import { ErrorBoundary } from './display/ErrorBoundary';
import { IconButton } from './controls/IconButton';
import { Menu, MenuRadioGroup, MenuItem } from './controls/Menu';
import { Meter } from './display/Meter';
import { chunkText } from './text/chunkText';
import { Popover } from './layers/Popover';
import { RadioGroup } from './fields/RadioGroup';
import { SearchBox } from './fields/SearchBox';
import { Select } from './fields/Select';
import { Slider } from './fields/Slider';
import { Switch } from './fields/Switch';
import { Table } from './display/Table';
import { Tabs } from './controls/Tabs';
import { TextArea } from './fields/TextArea';
import { TextField } from './fields/TextField';
import { ToastOutlet, ToastProvider, useToast } from './notifications/Toast';
import type { ToastContent } from './notifications/toastContent';

test('an icon button has its name', async () => {
  const press = vi.fn();
  render(<IconButton label="Attach" icon="attach" onClick={press} />);
  await userEvent.click(screen.getByRole('button', { name: 'Attach' }));
  expect(press).toHaveBeenCalledOnce();
});

test('a field says its label, its hint and what is wrong with it', () => {
  render(
    <TextField
      label="Base URL"
      hint="As in the manual"
      error="Not an address"
      value="x"
      onChange={vi.fn()}
    />,
  );
  const field = screen.getByRole('textbox', { name: 'Base URL' });
  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription('As in the manual Not an address');
});

test('a key is typed into a textbox whose letters are hidden', async () => {
  function Key() {
    const [key, setKey] = useState('');
    return <TextField label="API key" type="password" value={key} onChange={setKey} />;
  }
  render(<Key />);
  const field = screen.getByRole('textbox', { name: 'API key' });
  await userEvent.type(field, 'sk-1');
  expect(field).toHaveValue('sk-1');
  expect(field).toHaveAttribute('type', 'password');
});

test('a text area with a hidden label is still found by it', () => {
  render(<TextArea label="Reminder" labelHidden value="a" onChange={vi.fn()} />);
  expect(screen.getByRole('textbox', { name: 'Reminder' })).toHaveValue('a');
});

test('Esc empties a search box and goes no further until it is empty', () => {
  const change = vi.fn();
  const outside = vi.fn();
  const { rerender } = render(
    <SearchBox label="Search" value="ab" onChange={change} onKeyDown={outside} />,
  );
  // This one leaves the composition of an input method.
  const composing = { key: 'Escape', isComposing: true };
  fireEvent.keyDown(screen.getByRole('searchbox', { name: 'Search' }), composing);
  expect(change).not.toHaveBeenCalled();
  outside.mockClear();
  fireEvent.keyDown(screen.getByRole('searchbox', { name: 'Search' }), { key: 'Escape' });
  expect(change).toHaveBeenCalledWith('');
  expect(outside).not.toHaveBeenCalled();
  rerender(<SearchBox label="Search" value="" onChange={change} onKeyDown={outside} />);
  fireEvent.keyDown(screen.getByRole('searchbox', { name: 'Search' }), { key: 'Escape' });
  expect(outside).toHaveBeenCalledOnce();
});

const models = ['small', 'large', 'huge'].map((value) => ({
  value,
  label: `Model ${value}`,
  group: 'Demo',
}));

function ModelSelect({ onChange = vi.fn() }: { onChange?: (value: string) => void }) {
  const [model, setModel] = useState('small');
  return (
    <Select
      label="Model"
      options={models}
      value={model}
      onChange={(value) => {
        setModel(value);
        onChange(value);
      }}
    />
  );
}

/** Opens the list and waits until it can be typed into. */
async function openModels() {
  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }));
  await waitFor(() => {
    expect(screen.getByRole('combobox', { name: 'Filter' })).toHaveFocus();
  });
}

test('a select is a combobox whose options are chosen by a click', async () => {
  const change = vi.fn();
  render(<ModelSelect onChange={change} />);
  const box = screen.getByRole('combobox', { name: 'Model' });
  expect(box).toHaveTextContent('Model small');
  await openModels();
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Model small',
    'Model large',
    'Model huge',
  ]);
  expect(screen.getByRole('option', { name: 'Model small' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await userEvent.click(screen.getByRole('option', { name: 'Model huge' }));
  expect(change).toHaveBeenCalledExactlyOnceWith('huge');
  expect(screen.getByRole('combobox', { name: 'Model' })).toHaveTextContent('Model huge');
});

test('typing narrows an open select and Enter takes the first that is left', async () => {
  const change = vi.fn();
  render(<ModelSelect onChange={change} />);
  await openModels();
  await userEvent.keyboard('larg');
  expect(screen.getAllByRole('option')).toHaveLength(1);
  await userEvent.keyboard('{Enter}');
  expect(change).toHaveBeenCalledExactlyOnceWith('large');
});

test('a select with nothing fitting says so', async () => {
  render(<ModelSelect />);
  await openModels();
  await userEvent.keyboard('zzz');
  expect(await screen.findByText('Nothing found for “zzz”')).toBeInTheDocument();
});

test('a switch is on or off and says what it does', async () => {
  const change = vi.fn();
  const { rerender } = render(
    <Switch label="Auto-compaction" hint="Follows the global default" checked onChange={change} />,
  );
  const control = screen.getByRole('switch', { name: 'Auto-compaction' });
  expect(control).toBeChecked();
  expect(control).toHaveAccessibleDescription('Follows the global default');
  await userEvent.click(control);
  expect(change).toHaveBeenCalledExactlyOnceWith(false);
  rerender(<Switch label="Auto-compaction" checked={false} disabled onChange={change} />);
  expect(screen.getByRole('switch', { name: 'Auto-compaction' })).toBeDisabled();
});

test('a slider has its value in words', () => {
  const change = vi.fn();
  render(
    <Slider
      label="Threshold"
      min={40}
      max={90}
      step={5}
      value={60}
      written={(value) => `${value}%, balanced`}
      hint={(value) => `Compacts at ${value}%`}
      onChange={change}
    />,
  );
  const slider = screen.getByRole('slider', { name: 'Threshold' });
  expect(slider).toHaveAttribute('aria-valuetext', '60%, balanced');
  // The words follow each step of a drag; the owner is told at its end.
  fireEvent.input(slider, { target: { value: '65' } });
  expect(slider).toHaveAttribute('aria-valuetext', '65%, balanced');
  expect(slider).toHaveAccessibleDescription('Compacts at 65%');
  expect(change).not.toHaveBeenCalled();
  fireEvent.change(slider, { target: { value: '70' } });
  expect(change).toHaveBeenCalledExactlyOnceWith(70);
});

test('a radio group has a name and each choice its line', async () => {
  const change = vi.fn();
  render(
    <RadioGroup
      label="When the context fills up"
      choices={[
        { value: 'summarize', label: 'Summarise', hint: 'Writes a summary' },
        { value: 'archive', label: 'Archive' },
      ]}
      value="summarize"
      onChange={change}
    />,
  );
  const group = screen.getByRole('radiogroup', { name: 'When the context fills up' });
  expect(within(group).getByRole('radio', { name: 'Summarise' })).toBeChecked();
  expect(within(group).getByRole('radio', { name: 'Summarise' })).toHaveAccessibleDescription(
    'Writes a summary',
  );
  await userEvent.click(within(group).getByRole('radio', { name: 'Archive' }));
  expect(change).toHaveBeenCalledExactlyOnceWith('archive');
});

test('tabs show one page at a time', async () => {
  function Pages() {
    const [page, setPage] = useState<'a' | 'b'>('a');
    return (
      <Tabs
        label="Settings"
        current={page}
        onChange={setPage}
        tabs={[
          { id: 'a', label: 'Providers', content: 'first' },
          { id: 'b', label: 'Keyboard', content: 'second' },
        ]}
      />
    );
  }
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
  render(<Pages />);
  expect(screen.getByRole('tablist', { name: 'Settings' })).toBeVisible();
  expect(screen.getByRole('tabpanel', { name: 'Providers' })).toHaveTextContent('first');
  await userEvent.click(screen.getByRole('tab', { name: 'Keyboard' }));
  expect(screen.getByRole('tabpanel', { name: 'Keyboard' })).toHaveTextContent('second');
  expect(shown.mock.contexts.at(-1), 'its name is in view').toBe(
    screen.getByRole('tab', { name: 'Keyboard' }),
  );
  expect(screen.queryByText('first')).not.toBeInTheDocument();
});

function Settings() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        Open
      </Button>
      {open && (
        <Dialog
          title="Settings"
          onClose={() => {
            setOpen(false);
          }}
        >
          <ModelSelect />
        </Dialog>
      )}
    </>
  );
}

test('a dialog has its title as its name and gives the focus back', async () => {
  render(<Settings />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(screen.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
});

test('a dialog with nothing but words takes the focus to them, so that the keys scroll them', () => {
  render(
    <Dialog title="Compare" onClose={vi.fn()}>
      What was covered
    </Dialog>,
  );
  expect(screen.getByText('What was covered')).toHaveFocus();
});

test('a tooltip comes where the keyboard walks to, and not where the focus is put', async () => {
  render(
    <>
      <Button>Before</Button>
      <IconButton label="Attach" icon="attach" />
    </>,
  );
  act(() => {
    screen.getByRole('button', { name: 'Attach' }).focus();
  });
  expect(screen.queryByText('Attach')).not.toBeInTheDocument();
  await userEvent.tab({ shift: true });
  await userEvent.tab();
  expect(await screen.findByText('Attach')).toBeVisible();
});

test('a tooltip comes where the mouse rests, and goes when it leaves or presses', async () => {
  const pressed = vi.fn();
  render(<IconButton label="Attach" icon="attach" onClick={pressed} />);
  const button = screen.getByRole('button', { name: 'Attach' });
  await userEvent.hover(button);
  expect(screen.queryByText('Attach')).not.toBeInTheDocument();
  expect(await screen.findByText('Attach')).toBeVisible();
  await userEvent.unhover(button);
  await waitFor(() => {
    expect(screen.queryByText('Attach')).not.toBeInTheDocument();
  });
  await userEvent.hover(button);
  expect(await screen.findByText('Attach')).toBeVisible();
  await userEvent.click(button);
  expect(pressed).toHaveBeenCalledOnce();
  await waitFor(() => {
    expect(screen.queryByText('Attach')).not.toBeInTheDocument();
  });
});

test('what floats in a dialog stands inside of it, since all else is inert', async () => {
  render(<Settings />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = screen.getByRole('dialog', { name: 'Settings' });
  await openModels();
  expect(within(dialog).getAllByRole('option')).toHaveLength(3);
});

test('Esc closes the list in a dialog first and the dialog after it', async () => {
  render(<Settings />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = screen.getByRole('dialog', { name: 'Settings' });
  await openModels();

  // A browser asks `cancel` after every Esc inside of a modal dialog.
  await userEvent.keyboard('{Escape}');
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  expect(dialog).toBeInTheDocument();
  expect(screen.queryByRole('option')).not.toBeInTheDocument();

  await userEvent.keyboard('{Escape}');
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  expect(dialog).not.toBeInTheDocument();
});

test.each([
  ['menuitem', 'Rename', 'rename'],
  ['menuitemradio', 'Always off', 'off'],
])('a menu offers the %s %s', async (role, name, expected) => {
  const chosen = vi.fn<(what: string) => void>();
  render(
    <Menu trigger={<IconButton label="Session menu" icon="more" />}>
      <MenuItem
        icon="edit"
        onSelect={() => {
          chosen('rename');
        }}
      >
        Rename
      </MenuItem>
      <MenuRadioGroup
        value="global"
        onChange={chosen}
        choices={[
          { value: 'global', label: 'Follow global' },
          { value: 'off', label: 'Always off' },
        ]}
      />
    </Menu>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Session menu' }));
  expect(await screen.findByRole('menuitemradio', { name: 'Follow global' })).toBeChecked();
  await userEvent.click(screen.getByRole(role, { name }));
  expect(chosen).toHaveBeenCalledExactlyOnceWith(expected);
});

test('a popover is a dialog with a name', async () => {
  render(
    <Popover label="Context estimate" trigger={<Button>1.2k / 128k</Button>}>
      numbers
    </Popover>,
  );
  await userEvent.click(screen.getByRole('button', { name: '1.2k / 128k' }));
  expect(await screen.findByRole('dialog', { name: 'Context estimate' })).toHaveTextContent(
    'numbers',
  );
});

test('a meter says what is used of what, and never more than all', () => {
  render(<Meter label="Context usage" value={150} max={100} written="150 of 100" ticks={[60]} />);
  const meter = screen.getByRole('meter', { name: 'Context usage' });
  expect(meter).toHaveAttribute('aria-valuenow', '100');
  expect(meter).toHaveAttribute('aria-valuetext', '150 of 100');
});

test('a table has a name', () => {
  render(
    <Table label="Models">
      <tbody>
        <tr>
          <td>demo</td>
        </tr>
      </tbody>
    </Table>,
  );
  expect(screen.getByRole('table', { name: 'Models' })).toBeVisible();
});

test('a disclosure makes its content once it is open', async () => {
  render(<Disclosure label="Breakdown">rows</Disclosure>);
  expect(screen.queryByText('rows')).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Breakdown', expanded: false }));
  expect(screen.getByText('rows')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Breakdown', expanded: true })).toBeVisible();
});

test('a danger interrupts, anything else waits', () => {
  render(
    <>
      <Banner kind="danger">Over the limit</Banner>
      <Banner kind="info">Offline</Banner>
    </>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('Over the limit');
  expect(screen.getByRole('status')).toHaveTextContent('Offline');
});

function Toaster({ toast }: { toast: ToastContent }) {
  const show = useToast();
  return (
    <Button
      onClick={() => {
        show(toast);
      }}
    >
      Do it
    </Button>
  );
}

test('what a toast says was done can be undone once', async () => {
  const undo = vi.fn();
  render(
    <ToastProvider>
      <Toaster toast={{ words: 'Session deleted', undo }} />
    </ToastProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Do it' }));
  expect(screen.getByRole('status')).toHaveTextContent('Session deleted');
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText('Session deleted')).not.toBeInTheDocument();
});

test('a dialog shows the toasts said since it opened; those before wait behind it, if they offer something', () => {
  const undo = vi.fn();
  const part = (open: boolean) => (
    <ToastProvider>
      <div data-testid="conversation">
        <ToastOutlet />
      </div>
      <Toaster toast={{ words: 'Exported' }} />
      <Toaster toast={{ words: 'Deleted', undo }} />
      {open && (
        <Dialog title="Settings" onClose={vi.fn()}>
          <Toaster toast={{ words: 'Backed up' }} />
        </Dialog>
      )}
    </ToastProvider>
  );
  const { rerender } = render(part(false));
  const conversation = screen.getByTestId('conversation');
  for (const button of screen.getAllByRole('button', { name: 'Do it' })) fireEvent.click(button);
  expect(within(conversation).getByText('Exported')).toBeVisible();
  rerender(part(true));
  expect(screen.queryByText(/Exported|Deleted/)).toBeNull();
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
  expect(undo).not.toHaveBeenCalled();
  const dialog = screen.getByRole('dialog');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Do it' }));
  expect(within(dialog).getByText('Backed up')).toBeVisible();
  rerender(part(false));
  expect(within(conversation).getByText('Backed up')).toBeVisible();
  expect(within(conversation).getByText('Deleted')).toBeVisible();
  expect(screen.queryByText('Exported')).toBeNull();
});

test('F6 goes to the newest toast; undone or dismissed, it gives the focus back', async () => {
  const undo = vi.fn();
  const user = userEvent.setup();
  render(
    <ToastProvider>
      <Toaster toast={{ words: 'Session deleted', undo }} />
    </ToastProvider>,
  );
  const button = screen.getByRole('button', { name: 'Do it' });
  await user.click(button);
  await user.click(button);
  const newest = () => screen.getAllByRole('button', { name: 'Undo' }).at(-1);
  await user.keyboard('{F6}');
  expect(newest()).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(undo).toHaveBeenCalledOnce();
  expect(button).toHaveFocus();
  await user.keyboard('{F6}');
  expect(newest()).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(undo).toHaveBeenCalledOnce();
  expect(button).toHaveFocus();
  expect(screen.queryByText('Session deleted')).not.toBeInTheDocument();
});

describe('a toast', () => {
  let isInFront = true;
  beforeEach(() => {
    vi.useFakeTimers();
    isInFront = true;
    vi.spyOn(document, 'hasFocus').mockImplementation(() => isInFront);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function showToast(toast: ToastContent) {
    render(
      <ToastProvider>
        <Toaster toast={toast} />
      </ToastProvider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Do it' }));
    return screen.getByText(toast.words);
  }
  const wait = () => {
    act(() => {
      vi.runAllTimers();
    });
  };

  test('leaves by itself', () => {
    const words = showToast({ words: 'Exported' });
    wait();
    expect(words).not.toBeInTheDocument();
  });

  test('gives its place to a newer one of the same, and to no other', () => {
    render(
      <ToastProvider>
        <Toaster toast={{ words: 'Wool is saved', of: 'wool' }} />
        <Toaster toast={{ words: 'Wool lists 2', of: 'wool' }} />
        <Toaster toast={{ words: 'Silk is saved', of: 'silk' }} />
      </ToastProvider>,
    );
    for (const button of screen.getAllByRole('button', { name: 'Do it' })) fireEvent.click(button);
    const said = screen.getAllByRole('status').map((toast) => toast.textContent);
    expect(said).toEqual(['Wool lists 2', 'Silk is saved']);
  });

  test('that can be undone stays long, and its time stands still while the window is not in front', () => {
    const later = (ms: number) => {
      act(() => {
        vi.advanceTimersByTime(ms);
      });
    };
    const words = showToast({ words: 'Deleted', undo: vi.fn() });
    later(25_000);
    expect(words).toBeInTheDocument();
    isInFront = false;
    fireEvent.blur(window);
    later(60_000);
    expect(words).toBeInTheDocument();
    isInFront = true;
    fireEvent.focus(window);
    later(25_000);
    expect(words).toBeInTheDocument();
    later(6_000);
    expect(words).not.toBeInTheDocument();
    cleanup();
    const told = showToast({ words: 'Exported' });
    later(6_000);
    expect(told).not.toBeInTheDocument();
  });

  test('stays while it is pointed at', () => {
    const words = showToast({ words: 'Exported' });
    fireEvent.pointerEnter(screen.getByRole('status'));
    wait();
    expect(words).toBeInTheDocument();
    fireEvent.pointerLeave(screen.getByRole('status'));
    wait();
    expect(words).not.toBeInTheDocument();
  });

  test('that offers something or tells of a failure is not pushed out by others', () => {
    function Many() {
      const show = useToast();
      return (
        <Button
          onClick={() => {
            for (const at of [1, 2, 3, 4]) {
              show({ words: `Deleted ${at}`, undo: vi.fn() });
              show({ words: 'Could not export', failed: true });
              show({ words: `Exported ${at}` });
            }
          }}
        >
          Do it
        </Button>
      );
    }
    render(
      <ToastProvider>
        <Many />
      </ToastProvider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Do it' }));
    const said = () =>
      [...screen.queryAllByRole('status'), ...screen.queryAllByRole('alert')].map(
        ({ textContent }) => textContent,
      );
    expect(said()).toEqual(['Exported 4', 'Could not export']);
    const more = screen.getByRole('button', { name: '4 more notifications' });
    fireEvent.click(more);
    expect(said()).toEqual([
      'Deleted 1Undo',
      'Deleted 2Undo',
      'Deleted 3Undo',
      'Deleted 4Undo',
      'Exported 4',
      'Could not export',
    ]);
    expect(screen.getAllByRole('button', { name: 'Undo' })[0]).toHaveFocus();
  });

  test('that waits behind others comes back with all of its time', () => {
    const undone = vi.fn();
    function Three() {
      const show = useToast();
      return (
        <Button
          onClick={() => {
            for (const at of [1, 2, 3]) {
              show({
                words: `Deleted ${at}`,
                undo: () => {
                  undone(at);
                },
              });
            }
          }}
        >
          Do it
        </Button>
      );
    }
    render(
      <ToastProvider>
        <Three />
      </ToastProvider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Do it' }));
    expect(screen.queryByText('Deleted 1')).not.toBeInTheDocument();
    act(() => {
      vi.advanceTimersByTime(31_000);
    });
    expect(screen.queryByText('Deleted 3')).not.toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undone).toHaveBeenCalledExactlyOnceWith(1);
  });

  test('that tells of a failure stays until it is dismissed', () => {
    const words = showToast({ words: 'Could not export', failed: true });
    wait();
    expect(words).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(words).not.toBeInTheDocument();
  });
});

test('a slider stays where it was moved to until its owner has taken that in', () => {
  const change = vi.fn();
  const slider = (value: number) => (
    <Slider
      label="Share"
      min={0}
      max={100}
      step={5}
      written={String}
      value={value}
      onChange={change}
    />
  );
  const { rerender } = render(slider(60));
  const input = screen.getByRole('slider', { name: 'Share' });
  fireEvent.change(input, { target: { value: '65' } });
  fireEvent.change(input, { target: { value: '70' } });
  rerender(slider(65));
  expect(input).toHaveValue('70');
  rerender(slider(70));
  rerender(slider(40));
  expect(input).toHaveValue('40');
  fireEvent.change(input, { target: { value: '45' } });
  fireEvent.blur(input);
  expect(input).toHaveValue('40');
  expect(change.mock.calls).toEqual([[65], [70], [45]]);
});

test('an announcement is read to those who listen', async () => {
  function Sayer() {
    const announce = useAnnounce();
    return (
      <Button
        onClick={() => {
          announce('Reply complete');
        }}
      >
        Say
      </Button>
    );
  }
  render(
    <LiveRegionProvider>
      <Sayer />
    </LiveRegionProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Say' }));
  const region = screen.getByText('Reply complete').closest('[aria-live]');
  expect(region).toHaveAttribute('aria-live', 'polite');
});

test('an announcement is heard over an open dialog, which makes all else inert, and after it', async () => {
  function Copier() {
    const announce = useAnnounce();
    return (
      <Button
        onClick={() => {
          announce('Copied');
        }}
      >
        Copy
      </Button>
    );
  }
  const window = (dialog: ReactNode) => <LiveRegionProvider>{dialog}</LiveRegionProvider>;
  const { rerender } = render(
    window(
      <Dialog title="Picture" onClose={() => undefined}>
        <Copier />
      </Dialog>,
    ),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
  const region = screen.getByText('Copied').closest('[aria-live]');
  expect(screen.getByRole('dialog')).toContainElement(region as HTMLElement);
  rerender(window(<Copier />));
  await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
  expect(screen.getByText('Copied')).toBeInTheDocument();
});

test('only the dialog on top can be scrolled: no bar of a lower one is seen through it', () => {
  const nothing = () => undefined;
  const upper = (
    <Dialog title="Compare" onClose={nothing}>
      <p>Above</p>
    </Dialog>
  );
  const lower = (inside: ReactNode) => (
    <Dialog title="Estimate" onClose={nothing}>
      <p>Below</p>
      {inside}
    </Dialog>
  );
  const below = () =>
    screen
      .getAllByRole('dialog', { hidden: true })
      .filter((dialog) => dialog.hasAttribute('data-below'))
      .map((dialog) => dialog.getAttribute('aria-labelledby'));
  const { rerender } = render(null);
  expect(document.documentElement).not.toHaveAttribute('data-below');
  rerender(lower(null));
  expect(document.documentElement).toHaveAttribute('data-below');
  const [estimate] = screen.getAllByRole('dialog');
  expect(below()).toEqual([]);
  rerender(lower(upper));
  expect(below()).toEqual([estimate?.getAttribute('aria-labelledby')]);
  rerender(lower(null));
  expect(below()).toEqual([]);
});

test('a long announcement is handed over in pieces, all of it in the end', async () => {
  const long = 'The shuttle crosses the warp and is beaten home. '.repeat(200);
  function Sayer() {
    const announce = useAnnounce();
    return (
      <Button
        onClick={() => {
          announce(long);
        }}
      >
        Say
      </Button>
    );
  }
  render(
    <LiveRegionProvider>
      <Sayer />
    </LiveRegionProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Say' }));
  const said = () => document.querySelector('[aria-live]')?.textContent;
  expect(said()?.length).toBeLessThan(long.length);
  await waitFor(() => {
    expect(said()).toBe(long);
  });
});

test('a text is cut behind a space or a mark, and never within a character', () => {
  expect(chunkText('one two three', 8)).toEqual(['one two ', 'three']);
  expect(chunkText('织机，很好。', 4)).toEqual(['织机，', '很好。']);
  expect(chunkText('🧶🧶🧶', 3)).toEqual(['🧶', '🧶', '🧶']);
  expect(chunkText('', 3)).toEqual(['']);
});

test('a part that breaks says so and can be tried again', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let broken = true;
  function Part() {
    if (broken) throw new Error('no such row');
    return <p>well again</p>;
  }
  render(
    <ErrorBoundary holds={null}>
      <Part />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('This part of the window stopped working');
  await userEvent.click(screen.getByRole('button', { name: 'What went wrong' }));
  expect(screen.getByText('no such row')).toBeVisible();
  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('well again')).toBeVisible();
  expect(error).toHaveBeenCalled();
});

test('a part that broke is tried again when it holds something else, and what it broke on is forgotten', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const forget = vi.fn();
  function Part({ row }: { row: number }) {
    if (row === 1) throw new Error('no such row');
    return <p>row {row}</p>;
  }
  const holding = (row: number) => (
    <ErrorContext value={{ words: () => 'It is locked.', forget }}>
      <ErrorBoundary holds={row}>
        <Part row={row} />
      </ErrorBoundary>
    </ErrorContext>
  );
  const { rerender } = render(holding(1));
  expect(screen.getByRole('alert')).toHaveTextContent('It is locked.');
  rerender(holding(1));
  expect(screen.getByRole('alert')).toBeVisible();
  expect(forget).not.toHaveBeenCalled();
  rerender(holding(2));
  expect(screen.getByText('row 2')).toBeVisible();
  expect(forget).toHaveBeenCalled();
});
