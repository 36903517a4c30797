/**
 * Guards input that only a form's button saves: before the dialog around the form or the app window closes,
 * the user is asked. Not here: fields that save on blur.
 */
import { createContext, use, useEffect, useId, useMemo, useRef, useState } from 'react';
import { createStore, useStore } from '../hooks/createStore';

type UnsavedForms = {
  setUnsaved: (form: string, unsaved: boolean) => void;
  /** Calls `leave` at once if nothing is unsaved, else after the user has confirmed it. */
  confirmLeave: (leave: () => void) => void;
};

export const UnsavedFormsContext = createContext<UnsavedForms>({
  setUnsaved: () => undefined,
  confirmLeave: (leave) => {
    leave();
  },
});

/** The unsaved inputs of the app window by a unique name, each with its session; null: of no session. */
type UnsavedByKey = ReadonlyMap<string, number | null>;

const unsavedByKey = createStore<UnsavedByKey>(new Map());

/**
 * Registers an input as unsaved, or as saved. The input may be hidden. One of a deleted session does not
 * keep the app window open.
 */
export function setUnsaved(key: string, unsaved: boolean, session: number | null = null) {
  if (unsavedByKey.get().has(key) === unsaved) return;
  const others = [...unsavedByKey.get()].filter(([other]) => other !== key);
  unsavedByKey.set(new Map(unsaved ? [...others, [key, session]] : others));
}

/** The inputs that would be lost if the app window closed. */
export const useUnsavedInWindow = () => useStore(unsavedByKey, (all) => all);

/** Registers a form of the surrounding dialog as unsaved while `unsaved` is true. */
export function useUnsavedForm(unsaved: boolean) {
  const form = useId();
  const forms = use(UnsavedFormsContext);
  useEffect(() => {
    forms.setUnsaved(form, unsaved);
    setUnsaved(`form ${form}`, unsaved);
    return () => {
      forms.setUnsaved(form, false);
      setUnsaved(`form ${form}`, false);
    };
  }, [forms, form, unsaved]);
}

/** Inside a dialog: replaces one of its forms, after a confirmation if that is unsaved. */
export const useConfirmLeave = () => use(UnsavedFormsContext).confirmLeave;

/** The state of a dialog's forms. `pendingLeave`: the action that waits for the user to confirm it. */
export function useUnsavedForms() {
  const unsaved = useRef(new Set<string>());
  const [pending, setPending] = useState<{ leave: () => void } | null>(null);
  const guard = useMemo(() => {
    const hasUnsaved = () => unsaved.current.size > 0;
    const forms: UnsavedForms = {
      setUnsaved: (form, isUnsaved) => {
        if (isUnsaved) unsaved.current.add(form);
        else unsaved.current.delete(form);
      },
      confirmLeave: (leave) => {
        if (hasUnsaved()) setPending({ leave });
        else leave();
      },
    };
    return { forms, hasUnsaved };
  }, []);
  return {
    ...guard,
    pendingLeave: pending?.leave ?? null,
    stay: () => {
      setPending(null);
    },
  };
}
