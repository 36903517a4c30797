/**
 * What is typed into a form is kept only by its button: whatever else would take the form away asks first,
 * in the dialog around it, or the window where that is closed. Not for fields that are saved when they are
 * left, nor for the buttons of a form.
 */
import {
  createContext,
  use,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

type UnsavedForms = {
  note: (form: string, unsaved: boolean) => void;
  /** Goes at once where nothing would be lost, and else when the person says so. */
  confirmLeave: (go: () => void) => void;
};

export const UnsavedFormsContext = createContext<UnsavedForms>({
  note: () => undefined,
  confirmLeave: (go) => {
    go();
  },
});

/**
 * By a name of its own, whatever is written in the window and kept nowhere else, and the session it is of.
 */
type UnsavedByKey = ReadonlyMap<string, number | null>;

let unsavedByKey: UnsavedByKey = new Map();
const listeners = new Set<() => void>();

/**
 * Says of something whether it would be lost with the window, also while it is not seen. Of a session:
 * nobody looks for it in one that is deleted.
 */
export function setUnsaved(written: string, unsaved: boolean, session: number | null = null) {
  if (unsavedByKey.has(written) === unsaved) return;
  const others = [...unsavedByKey].filter(([other]) => other !== written);
  unsavedByKey = new Map(unsaved ? [...others, [written, session]] : others);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Whatever would be lost with the window. */
export const useUnsavedInWindow = (): UnsavedByKey =>
  useSyncExternalStore(subscribe, () => unsavedByKey);

/** Says of a form whether something stands in it that its button has not kept. */
export function useUnsavedForm(unsaved: boolean) {
  const form = useId();
  const { note } = use(UnsavedFormsContext);
  useEffect(() => {
    note(form, unsaved);
    setUnsaved(`form ${form}`, unsaved);
    return () => {
      note(form, false);
      setUnsaved(`form ${form}`, false);
    };
  }, [note, form, unsaved]);
}

/** Within a dialog: leads from one of its forms to something else. */
export const useConfirmLeave = () => use(UnsavedFormsContext).confirmLeave;

/** For the dialog: its forms, whether one of them holds it open, and what the person is asked about. */
export function useUnsavedForms() {
  const unsaved = useRef(new Set<string>());
  const [asked, setAsked] = useState<{ go: () => void } | null>(null);
  const kept = useMemo(() => {
    const isHeld = () => unsaved.current.size > 0;
    const forms: UnsavedForms = {
      note: (form, isUnsaved) => {
        if (isUnsaved) unsaved.current.add(form);
        else unsaved.current.delete(form);
      },
      confirmLeave: (go) => {
        if (isHeld()) setAsked({ go });
        else go();
      },
    };
    return { forms, isHeld };
  }, []);
  return {
    ...kept,
    asked,
    stay: () => {
      setAsked(null);
    },
  };
}
