/**
 * The open state of a panel beside the conversation. It is remembered separately for wide and
 * narrow app windows: in a narrow one the panel covers the conversation, so none is open until the
 * user opens it.
 */
import { useCallback, useState } from 'react';
import { useMediaQuery } from '../../kit/hooks/useMediaQuery';

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
