/**
 * Makes a `<dialog>` modal: it opens after its content has rendered, stands above other overlays, and closes
 * by Escape and by a click outside. The browser traps the focus and gives it back.
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
import { isComposing } from '../keyboard/shortcuts';
import './useModal.css';

/** Asks the user before the dialog closes while a form in it has unsaved input. */
type CloseGuard = { hasUnsaved: () => boolean; confirmClose: () => void };

const noGuard: CloseGuard = { hasUnsaved: () => false, confirmClose: () => undefined };

export function useModal(onClose: () => void, guard: CloseGuard = noGuard) {
  const ref = useRef<HTMLDialogElement>(null);
  const [layer, setLayer] = useState<HTMLDialogElement | null>(null);
  const popupTakesEscape = useRef(false);
  const top = useTopOverlay();

  useLayoutEffect(() => {
    setLayer(ref.current);
  }, []);

  // Opened after its content has rendered, so that the browser moves the focus there.
  useLayoutEffect(() => {
    if (!layer) return;
    initialFocus(layer)?.setAttribute('autofocus', '');
    layer.showModal();
    const popOverlay = pushOverlay(layer);
    return () => {
      popOverlay();
      layer.close();
    };
  }, [layer]);

  const close = () => {
    if (guard.hasUnsaved()) {
      guard.confirmClose();
      return;
    }
    // An unmounted field fires no blur event, and fields save on blur.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    onClose();
  };

  return {
    layer,
    dialogProps: {
      ref,
      'data-below': (layer !== null && top !== null && top !== layer) || undefined,
      onKeyDownCapture: (event: KeyboardEvent<HTMLDialogElement>) => {
        // An open menu or list inside closes first; the browser fires `cancel` after that.
        if (event.key !== 'Escape') return;
        popupTakesEscape.current =
          event.currentTarget.querySelector(
            '[data-popup-open]:is([aria-haspopup], [data-menu-trigger])',
          ) !== null;
      },
      // Without preventDefault here, the browser closes the dialog at the second Escape without `cancel`.
      onKeyDown: (event: KeyboardEvent<HTMLDialogElement>) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // A dialog inside this one handles its own keys.
        if (event.target instanceof Element && event.target.closest('dialog') !== ref.current)
          return;
        if (popupTakesEscape.current || !guard.hasUnsaved()) return;
        event.preventDefault();
        if (!isComposing(event.nativeEvent)) guard.confirmClose();
      },
      onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
        if (event.target !== ref.current) return;
        event.preventDefault();
        if (!popupTakesEscape.current) close();
        popupTakesEscape.current = false;
      },
      onMouseDown: (event: MouseEvent<HTMLDialogElement>) => {
        if (event.target !== ref.current) return;
        if (isOutside(event.currentTarget, event)) close();
      },
    },
  };
}

const fieldSelector = 'input, textarea, select, [role="combobox"]';

/**
 * The element that gets the focus; null: the first control. It is the selected tab (focusing another one
 * would select it), an element with `data-initial-focus`, or in a dialog without fields its primary button.
 */
function initialFocus(layer: Element): Element | null {
  const named = layer.querySelector('[role="tab"][aria-selected="true"], [data-initial-focus]');
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
