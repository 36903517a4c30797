/**
 * What is typed into a form is kept only by its button: whatever would take the form away asks first.
 * Not for fields that are saved when they are left.
 */
import {
  createContext,
  use,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useText } from '../i18n';
import { Button } from '../kit/Button';
import { Dialog } from '../kit/Dialog';

type Unsaved = {
  note: (form: string, unsaved: boolean) => void;
  /** Goes at once where nothing would be lost, and else when the person says so. */
  leave: (go: () => void) => void;
};

const UnsavedContext = createContext<Unsaved>({
  note: () => undefined,
  leave: (go) => {
    go();
  },
});

/** Says of a form whether something stands in it that its button has not kept. */
export function useUnsaved(unsaved: boolean) {
  const form = useId();
  const { note } = use(UnsavedContext);
  useEffect(() => {
    note(form, unsaved);
    return () => {
      note(form, false);
    };
  }, [note, form, unsaved]);
}

export const useLeaving = () => use(UnsavedContext).leave;

export function UnsavedGuard({ children }: { children: ReactNode }) {
  const text = useText();
  const forms = useRef(new Set<string>());
  const [asked, setAsked] = useState<{ go: () => void } | null>(null);
  const guard = useMemo<Unsaved>(
    () => ({
      note: (form, unsaved) => {
        if (unsaved) forms.current.add(form);
        else forms.current.delete(form);
      },
      leave: (go) => {
        if (forms.current.size === 0) go();
        else setAsked({ go });
      },
    }),
    [],
  );
  const stay = () => {
    setAsked(null);
  };
  return (
    <UnsavedContext value={guard}>
      {children}
      {asked && (
        <Dialog
          title={text('settings.unsaved')}
          onClose={stay}
          actions={
            <>
              <Button
                onClick={() => {
                  stay();
                  asked.go();
                }}
              >
                {text('settings.discard')}
              </Button>
              <Button kind="primary" onClick={stay}>
                {text('settings.keepEditing')}
              </Button>
            </>
          }
        >
          <p>{text('settings.unsavedWords')}</p>
        </Dialog>
      )}
    </UnsavedContext>
  );
}
