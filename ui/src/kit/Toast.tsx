/**
 * Some words at the corner that say what was done and offer to take it back. They stay while they are
 * pointed at or hold the focus, and lie inside of the topmost dialog so that they can be reached.
 */
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { useText } from '../i18n';
import { Button } from './Button';
import { Icon } from './Icon';
import { IconButton } from './IconButton';
import { useTopLayer } from './layers';
import './Toast.css';

export type ToastContent = {
  words: string;
  /** Takes back what the words say was done. */
  undo?: () => void;
  /** It did not work; such a toast stays until it is dismissed. */
  failed?: boolean;
};

type Shown = ToastContent & { id: number };

/** How long a toast can be read, and how long undone, in ms. */
const readFor = 5_000;
const undoneFor = 10_000;
const atMost = 3;

const ToastContext = createContext<(toast: ToastContent) => void>(() => undefined);

export function ToastProvider({ children }: { children: ReactNode }) {
  const text = useText();
  const layer = useTopLayer();
  const nextId = useRef(0);
  const [toasts, setToasts] = useState<readonly Shown[]>([]);

  const show = useCallback((toast: ToastContent) => {
    nextId.current += 1;
    const id = nextId.current;
    setToasts((shown) => [...shown, { ...toast, id }].slice(-atMost));
  }, []);
  const remove = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id));
  }, []);
  const list = useMemo(
    () => toasts.map((toast) => <Toast key={toast.id} toast={toast} onRemove={remove} />),
    [toasts, remove],
  );

  return (
    <ToastContext value={show}>
      {children}
      {createPortal(
        <section className="Toasts" aria-label={text('kit.notifications')}>
          {list}
        </section>,
        layer ?? document.body,
      )}
    </ToastContext>
  );
}

/** Shows a toast. */
export const useToast = () => use(ToastContext);

function Toast({ toast, onRemove }: { toast: Shown; onRemove: (id: number) => void }) {
  const text = useText();
  const [held, setHeld] = useState(false);
  const { id, words, undo, failed = false } = toast;
  const canUndo = undo !== undefined;

  useEffect(() => {
    if (held || failed) return;
    const timer = setTimeout(
      () => {
        onRemove(id);
      },
      canUndo ? undoneFor : readFor,
    );
    return () => {
      clearTimeout(timer);
    };
  }, [held, failed, canUndo, id, onRemove]);

  return (
    // Pointing at it or focusing into it only keeps it from leaving.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="Toast"
      role={failed ? 'alert' : 'status'}
      onPointerEnter={() => {
        setHeld(true);
      }}
      onPointerLeave={() => {
        setHeld(false);
      }}
      onFocus={() => {
        setHeld(true);
      }}
      onBlur={() => {
        setHeld(false);
      }}
    >
      {failed && <Icon name="error" />}
      <span className="Toast-words">{words}</span>
      {undo && (
        <Button
          kind="quiet"
          onClick={() => {
            undo();
            onRemove(id);
          }}
        >
          {text('kit.undo')}
        </Button>
      )}
      <IconButton
        label={text('kit.dismiss')}
        icon="close"
        onClick={() => {
          onRemove(id);
        }}
      />
    </div>
  );
}
