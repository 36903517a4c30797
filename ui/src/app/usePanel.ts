/**
 * Whether what stands beside the conversation is shown: the sessions by default, and where the window is
 * narrow only what is asked for, since there it lies over it. A window that is made narrow, or enlarged,
 * so shows the conversation.
 */
import { useCallback, useState } from 'react';
import { useMediaQuery } from '../kit/hooks/useMediaQuery';

/** `tooNarrow`: where there is no room for it beside the conversation; `open`: at first, where there is. */
export function usePanel(tooNarrow: string, open: boolean) {
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
