/**
 * Some words that say what was done and offer to take it back. They have room of their own and cover
 * nothing: above the box, or in the foot of the topmost dialog, which shows what was said since it opened.
 * What was said before waits behind it, and what offers nothing goes. The newest two are open, a line opens
 * the others. They stay while they are pointed at or hold the focus; F6 goes to the newest, and the keys that
 * undo in a text press the newest Undo outside of one, or in one that is empty and was not written in since.
 */
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { useText } from '../../i18n';
import { Button } from '../controls/Button';
import { Icon } from '../controls/Icon';
import { IconButton } from '../controls/IconButton';
import {
  isOverlayOpen,
  topOverlay,
  useTopOverlayHost,
  useTopOverlay,
} from '../layers/overlayStack';
import { useShortcut } from '../layers/shortcuts';
import type { ToastContent } from './toastContent';
import { useToastTimer } from './toastTimer';
import './Toast.css';

/** `layer`: the dialog that lay on top when it was said. */
type ToastEntry = ToastContent & { id: number; layer: HTMLDialogElement | null };

/** What presses the newest Undo. */
export const undoKeys = 'Mod+Z';

/** So many are open; the others wait behind a line, in which their time stands still. */
const maxOpenToasts = 2;

/** The same failure again is told once, and of one thing only what is the newest. */
const replaces = (one: ToastContent, other: ToastContent) =>
  (one.failed === true && other.failed === true && one.words === other.words) ||
  (one.of !== undefined && one.of === other.of);

/** What offers something or tells of a failure waits; what only says something does not. */
const isPersistent = ({ way, undo, failed }: ToastContent) =>
  way !== undefined || undo !== undefined || failed === true;

/** What only says something is pushed out. */
const dropExcess = (toasts: readonly ToastEntry[]): readonly ToastEntry[] =>
  toasts.filter((toast, at) => isPersistent(toast) || at >= toasts.length - maxOpenToasts);

/** Whether a dialog that opened after it was said lies over it. */
const isUnderDialog = ({ layer }: ToastEntry, top: HTMLDialogElement | null) =>
  top !== null && layer !== top && (layer === null || isOverlayOpen(layer));

/** Changes the words of a toast, for as long as it stands. */
type UpdateToast = (words: string) => void;

/** Takes away what is of this: all of it, or what `isOver` holds for. */
type WithdrawToasts = (of: string, isOver?: (toast: ToastContent) => boolean) => void;

const ToastContext = createContext<(toast: ToastContent) => UpdateToast>(() => () => undefined);
const WithdrawContext = createContext<WithdrawToasts>(() => undefined);
const ToastOutletContext = createContext<(place: HTMLElement | null) => void>(() => undefined);

export function ToastProvider({ children }: { children: ReactNode }) {
  const nextId = useRef(0);
  const [toasts, setToasts] = useState<readonly ToastEntry[]>([]);
  const [place, setPlace] = useState<HTMLElement | null>(null);

  const show = useCallback((toast: ToastContent) => {
    nextId.current += 1;
    const id = nextId.current;
    setToasts((shown) =>
      dropExcess([
        ...shown.filter((old) => !replaces(old, toast)),
        { ...toast, id, layer: topOverlay() },
      ]),
    );
    return (words: string) => {
      setToasts((shown) => shown.map((now) => (now.id === id ? { ...now, words } : now)));
    };
  }, []);
  const withdraw = useCallback<WithdrawToasts>((of, isOver = () => true) => {
    setToasts((shown) => shown.filter((toast) => toast.of !== of || !isOver(toast)));
  }, []);
  const remove = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id));
  }, []);

  return (
    <ToastContext value={show}>
      <WithdrawContext value={withdraw}>
        <ToastOutletContext value={setPlace}>{children}</ToastOutletContext>
      </WithdrawContext>
      <ToastRegion place={place} toasts={toasts} onRemove={remove} />
    </ToastContext>
  );
}

/** Shows a toast. What it returns says the same toast in other words. */
export const useToast = () => use(ToastContext);

/** Takes away the toasts that are of something of which they are not true any more. */
export const useWithdrawToasts = () => use(WithdrawContext);

/** Where toasts have their room; where there is none, they lie at the top of the window. */
export function ToastOutlet() {
  return <div ref={use(ToastOutletContext)} className="ToastPlace" />;
}

type ToastRegionProps = {
  place: HTMLElement | null;
  toasts: readonly ToastEntry[];
  onRemove: (id: number) => void;
};

/** All that are shown, in an element that is moved to where they can be seen and reached. */
function ToastRegion({ place, toasts: all, onRemove }: ToastRegionProps) {
  const text = useText();
  const top = useTopOverlay();
  const toasts = all.filter((toast) => !isUnderDialog(toast, top));
  useEffect(() => {
    for (const toast of all)
      if (isUnderDialog(toast, top) && !isPersistent(toast)) onRemove(toast.id);
  }, [all, top, onRemove]);
  const list = useRef<HTMLElement>(null);
  const host = useTopOverlayHost('ToastHost', place);
  /** Whether the person wants to see all of them. */
  const [isUnfolded, setUnfolded] = useState(false);
  if (isUnfolded && toasts.length <= maxOpenToasts) setUnfolded(false);
  const behind = isUnfolded ? 0 : Math.max(0, toasts.length - maxOpenToasts);
  /** How often the newest was asked for. */
  const [asked, setAsked] = useState(0);

  useShortcut(
    'F6',
    text('kit.toNotification'),
    () => {
      setAsked((times) => times + 1);
    },
    'everywhere',
  );
  // When whatever it was asked from has closed, which gives the focus back itself.
  useEffect(() => {
    if (asked > 0) list.current?.lastElementChild?.querySelector('button')?.focus();
  }, [asked]);
  // The line that was pressed is gone.
  useEffect(() => {
    if (isUnfolded) list.current?.querySelector('button')?.focus();
  }, [isUnfolded]);

  const undone = toasts.findLast(({ undo }) => undo !== undefined);
  return createPortal(
    <section ref={list} className="Toasts" aria-label={text('kit.notifications')}>
      {undone?.undo && (
        <UndoShortcut
          key={undone.id}
          onUndo={() => {
            undone.undo?.();
            onRemove(undone.id);
          }}
        />
      )}
      {behind > 0 && (
        <Button
          kind="quiet"
          icon="chevron-up"
          onClick={() => {
            setUnfolded(true);
          }}
        >
          {text('kit.moreNotifications', { count: behind })}
        </Button>
      )}
      {toasts.slice(behind).map((toast) => (
        <Toast key={toast.id} toast={toast} onRemove={onRemove} />
      ))}
    </section>,
    host,
  );
}

function UndoShortcut({ onUndo }: { onUndo: () => void }) {
  useShortcut(undoKeys, useText()('kit.undo'), onUndo, 'outsideText');
  return null;
}

function Toast({ toast, onRemove }: { toast: ToastEntry; onRemove: (id: number) => void }) {
  const text = useText();
  const { id, words, way, undo, failed = false } = toast;
  const { leave, ties } = useToastTimer(toast, () => {
    onRemove(id);
  });
  return (
    // Pointing at it or focusing into it only keeps it from leaving.

    <div className="Toast" role={failed ? 'alert' : 'status'} {...ties}>
      {failed && <Icon name="error" />}
      <span className="Toast-words">{words}</span>
      {way && (
        <Button
          kind="quiet"
          onClick={() => {
            way.go();
            leave();
          }}
        >
          {way.words}
        </Button>
      )}
      {undo && (
        <Button
          kind="quiet"
          onClick={() => {
            undo();
            leave();
          }}
        >
          {text('kit.undo')}
        </Button>
      )}
      <IconButton label={text('kit.dismiss')} icon="close" onClick={leave} />
    </div>
  );
}
