/**
 * What is being written in a dialog is not thrown away in passing: while something stands there that
 * would go with it, neither Esc nor a press beside the dialog closes it. Its buttons do.
 */
import { createContext, use, useEffect, useId, useMemo, useRef } from 'react';

type Note = (form: string, unfinished: boolean) => void;

/** Where a form of the dialog around it says so. */
export const UnfinishedContext = createContext<Note>(() => undefined);

/** Says whether something stands in a form that would be lost. */
export function useUnfinished(unfinished: boolean) {
  const form = useId();
  const note = use(UnfinishedContext);
  useEffect(() => {
    note(form, unfinished);
    return () => {
      note(form, false);
    };
  }, [note, form, unfinished]);
}

/** For the dialog: what its forms say it to, and whether one of them holds it open. */
export function useForms() {
  const forms = useRef(new Set<string>());
  return useMemo(
    () => ({
      note: (form: string, unfinished: boolean) => {
        if (unfinished) forms.current.add(form);
        else forms.current.delete(form);
      },
      isHeld: () => forms.current.size > 0,
    }),
    [],
  );
}
