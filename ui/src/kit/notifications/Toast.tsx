/**
 * Toasts: short messages about an action, with buttons such as Undo. They cover nothing: their place is
 * above the composer, or at the foot of the topmost dialog, which shows those since it opened. The newest
 * two are open, older ones with buttons wait behind a line that expands them. A toast stays while it is
 * hovered or focused. F6 focuses the newest; the undo shortcut presses the newest Undo, unless a text field
 * owns the key (shortcuts.ts).
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
import { useShortcut } from '../keyboard/shortcuts';
import type { ToastContent } from './toastContent';
import { useToastTimer } from './toastTimer';
import './Toast.css';

/** `layer`: the dialog that was on top when the toast was shown. */
type ToastEntry = ToastContent & { id: number; layer: HTMLDialogElement | null };

/** The shortcut that presses the newest Undo. */
export const undoKeys = 'Mod+Z';

/** More toasts wait behind a line; their timers are paused. */
const maxOpenToasts = 2;

/** A new toast replaces one with the same `of`, and a failure the same failure. */
const replaces = (one: ToastContent, other: ToastContent) =>
  (one.failed === true && other.failed === true && one.words === other.words) ||
  (one.of !== undefined && one.of === other.of);

/** A toast with buttons, or of a failure, waits; a plain message does not. */
const isPersistent = ({ way, undo, failed }: ToastContent) =>
  way !== undefined || undo !== undefined || failed === true;

/** Plain messages are dropped. */
const dropExcess = (toasts: readonly ToastEntry[]): readonly ToastEntry[] =>
  toasts.filter((toast, at) => isPersistent(toast) || at >= toasts.length - maxOpenToasts);

/** A dialog that opened after the toast covers it. */
const isUnderDialog = ({ layer }: ToastEntry, top: HTMLDialogElement | null) =>
  top !== null && layer !== top && (layer === null || isOverlayOpen(layer));

/** Removes the toasts with this `of`: all, or those for which `isOver` returns true. */
type WithdrawToasts = (of: string, isOver?: (toast: ToastContent) => boolean) => void;

const ToastContext = createContext<(toast: ToastContent) => void>(() => undefined);
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

/** Shows a toast. */
export const useToast = () => use(ToastContext);

/** Removes toasts that are no longer true. */
export const useWithdrawToasts = () => use(WithdrawContext);

/** The place of the toasts; without one, they are at the top of the app window. */
export function ToastOutlet() {
  return <div ref={use(ToastOutletContext)} className="ToastPlace" />;
}

type ToastRegionProps = {
  place: HTMLElement | null;
  toasts: readonly ToastEntry[];
  onRemove: (id: number) => void;
};

/** All shown toasts, in an element that moves into the topmost dialog. */
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
  /** The user has expanded all of them. */
  const [isUnfolded, setUnfolded] = useState(false);
  if (isUnfolded && toasts.length <= maxOpenToasts) setUnfolded(false);
  const behind = isUnfolded ? 0 : Math.max(0, toasts.length - maxOpenToasts);
  /** Counts the presses of F6. */
  const [asked, setAsked] = useState(0);

  useShortcut(
    'F6',
    text('kit.toNotification'),
    () => {
      setAsked((times) => times + 1);
    },
    'everywhere',
  );
  // After an overlay that F6 was pressed in has closed, which restores the focus itself.
  useEffect(() => {
    if (asked > 0) list.current?.lastElementChild?.querySelector('button')?.focus();
  }, [asked]);
  // The line that was pressed has unmounted.
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
  const { id, words, way, undo, undoName, failed = false } = toast;
  const { leave, ties } = useToastTimer(toast, () => {
    onRemove(id);
  });
  return (
    // Hover and focus only pause the timer.

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
          {undoName ?? text('kit.undo')}
        </Button>
      )}
      <IconButton label={text('kit.dismiss')} icon="close" onClick={leave} />
    </div>
  );
}
