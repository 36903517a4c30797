/**
 * Whether a panel beside the conversation is open. A wide and a narrow app window remember this apart: in a
 * narrow one a panel covers the conversation, so none is open until the user opens it.
 */
import { useCallback, useState } from 'react';
import { useMediaQuery } from '../kit/hooks/useMediaQuery';

export type PanelState = {
  /** There is no room for the panel beside the conversation. */
  narrow: boolean;
  open: boolean;
  setOpen: (open: boolean) => void;
};

/** `tooNarrow`: the media query of `narrow`. `open`: at the start, in a wide app window. */
export function usePanel(tooNarrow: string, open: boolean): PanelState {
  const narrow = useMediaQuery(tooNarrow);
  const width = narrow ? 'narrow' : 'wide';
  const [isOpen, setIsOpen] = useState({ wide: open, narrow: false });
  return {
    narrow,
    open: isOpen[width],
    setOpen: useCallback(
      (next: boolean) => {
        setIsOpen((now) => ({ ...now, [width]: next }));
      },
      [width],
    ),
  };
}
