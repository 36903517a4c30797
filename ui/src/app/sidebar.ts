/**
 * Whether the sessions are shown: beside the conversation by default, and where the window is narrow
 * only when they are asked for, since there they lie over it. A window that is made narrow, or
 * enlarged, so shows the conversation.
 */
import { useCallback, useState } from 'react';
import { useMedia } from '../kit/media';

export function useSidebar() {
  const narrow = useMedia('(max-width: 720px)');
  const width = narrow ? 'narrow' : 'wide';
  const [open, setOpen] = useState({ wide: true, narrow: false });
  return {
    narrow,
    open: open[width],
    setOpen: useCallback(
      (next: boolean) => {
        setOpen((now) => ({ ...now, [width]: next }));
      },
      [width],
    ),
  };
}
