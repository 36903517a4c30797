/**
 * What makes a `<dialog>` modal: opened once its content stands in it, raised above what was open,
 * closed by Esc and by a click beside it. The browser keeps the focus in and gives it back.
 */
import {
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
} from 'react';
import { pushOverlay, useTopOverlay } from '../layers/overlayStack';
import { isComposing } from '../layers/shortcuts';
import './useModal.css';

/** Whether something in it would be lost, and how the person is asked about that. */
type CloseGuard = { isHeld: () => boolean; ask: () => void };

const noGuard: CloseGuard = { isHeld: () => false, ask: () => undefined };

export function useModal(onClose: () => void, { isHeld, ask }: CloseGuard = noGuard) {
  const ref = useRef<HTMLDialogElement>(null);
  const [layer, setLayer] = useState<HTMLDialogElement | null>(null);
  const popupTakesEscape = useRef(false);
  const top = useTopOverlay();

  useLayoutEffect(() => {
    setLayer(ref.current);
  }, []);

  // Opened once its content stands in it, so that the focus goes there.
  useLayoutEffect(() => {
    if (!layer) return;
    initialFocus(layer)?.setAttribute('autofocus', '');
    layer.showModal();
    const lower = pushOverlay(layer);
    return () => {
      lower();
      layer.close();
    };
  }, [layer]);

  /** A field that is taken away is not left: what is written there is finished first. */
  const leave = () => {
    if (isHeld()) {
      ask();
      return;
    }
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    onClose();
  };

  return {
    layer,
    ties: {
      ref,
      'data-below': (layer !== null && top !== null && top !== layer) || undefined,
      onKeyDownCapture: (event: KeyboardEvent<HTMLDialogElement>) => {
        // An open menu or list inside closes first; the browser asks `cancel` after it has closed.
        if (event.key !== 'Escape') return;
        popupTakesEscape.current =
          event.currentTarget.querySelector('[data-popup-open][aria-haspopup]') !== null;
      },
      // Where the browser is not kept from it here, it closes the dialog the second time without asking.
      onKeyDown: (event: KeyboardEvent<HTMLDialogElement>) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // One that was opened from inside has its own keys.
        if (event.target instanceof Element && event.target.closest('dialog') !== ref.current)
          return;
        if (popupTakesEscape.current || !isHeld()) return;
        event.preventDefault();
        if (!isComposing(event.nativeEvent)) ask();
      },
      onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
        if (event.target !== ref.current) return;
        event.preventDefault();
        if (!popupTakesEscape.current) leave();
        popupTakesEscape.current = false;
      },
      onMouseDown: (event: MouseEvent<HTMLDialogElement>) => {
        if (event.target !== ref.current) return;
        if (isOutside(event.currentTarget, event)) leave();
      },
    },
  };
}

const fieldSelector = 'input, textarea, select, [role="combobox"]';

/**
 * What takes the focus where that is not the first control: of tabs the one that is chosen, for the first
 * would be by that; `data-begins`; and where nothing is to be filled in the act that the dialog proposes.
 */
function initialFocus(layer: Element): Element | null {
  const named = layer.querySelector('[role="tab"][aria-selected="true"], [data-begins]');
  if (named || layer.querySelector(fieldSelector)) return named;
  return layer.querySelector('.Dialog-actions > [data-kind="primary"]:not(:disabled)');
}

function isOutside(
  dialog: HTMLElement,
  { clientX, clientY }: { clientX: number; clientY: number },
) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
