/**
 * The form that edits a message or a summary in its place. editDrafts.ts keeps the input.
 */
import { useEffect, useEffectEvent, useState, type ReactNode, type RefObject } from 'react';
import { acceptsDrops } from '../../attachments/useFileDrop';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import { Button } from '../../kit/controls/Button';
import { useFocusWhileOpen } from '../../kit/a11y/focus';
import { isSendKey } from '../../kit/keyboard/sendKey';
import { isComposing } from '../../kit/keyboard/shortcuts';
import { TextArea } from '../../kit/fields/TextArea';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useAutosave } from '../../state/hooks/useAutosave';
import { useSettings } from '../../state/queries/queries';
import { messageText } from '../state/messageText';
import { updateEdit, discardEdit, saveEdit, editChanges, type EditTarget } from './editDrafts';

/** The attachments of the edited message. */
export type EditExtras = {
  /** The list of attachments, below the text. */
  view: ReactNode;
  /** The text may be empty. */
  isEnough: boolean;
  now: unknown;
  /** The attachments have changed. */
  isChanged: boolean;
  /** An attachment is still being read. */
  isReading: boolean;
  /** A file is dragged over the form. */
  isDropTarget: boolean;
  box: RefObject<HTMLFormElement | null>;
};

type EditFormProps = {
  edited: EditTarget;
  /** The accessible name of a form that edits no message. */
  label?: string;
  save?: string;
  along?: EditExtras;
  /** Resolves to whether the text was stored. If not, it shows the error or rejects. */
  onSave: (text: string) => Promise<boolean>;
  onClose: () => void;
};

export function EditForm(props: EditFormProps) {
  const { edited, label, save: saveWords, along, onSave, onClose } = props;
  const text = useText();
  const reportError = useReportError(useToast());
  const chosen = useSettings().data?.settings.keyboard.send ?? 'enter';
  // A text that is saved and not sent has many lines: Enter breaks the line.
  const sendKey = saveWords === undefined ? chosen : 'modEnter';
  const { id } = edited.message;
  const before = messageText(edited.message);
  const [words, setWords] = useState(editChanges(id).words ?? before);
  const [saving, setSaving] = useState(false);
  const box = useFocusWhileOpen<HTMLTextAreaElement>(!edited.isRestored);
  useScrollIntoView(box, !edited.isRestored);
  const empty = words.trim() === '' && along?.isEnough !== true;
  const waits = empty || saving || edited.readOnly || along?.isReading === true;
  const { commands } = useBackend();
  const keepNow = () => void saveEdit(commands, id);
  useAutosave(keepNow, words, along?.now);
  const keepLast = useEffectEvent(keepNow);
  useEffect(() => {
    const leaves = () => {
      keepLast();
    };
    window.addEventListener('pagehide', leaves);
    return () => {
      window.removeEventListener('pagehide', leaves);
      leaves();
    };
  }, []);
  const leave = () => {
    discardEdit(id);
    keepNow();
    onClose();
  };
  const save = async () => {
    if (waits) return;
    setSaving(true);
    const stored = await onSave(words).finally(() => {
      setSaving(false);
    });
    if (stored) leave();
  };
  const write = (next: string) => {
    setWords(next);
    updateEdit(edited, { words: next === before ? null : next });
  };
  return (
    <form
      ref={along?.box}
      className="EditBox"
      data-over={along?.isDropTarget === true || undefined}
      {...(along && acceptsDrops)}
      onSubmit={(event) => {
        event.preventDefault();
        reportError(save());
      }}
    >
      <TextArea
        label={label ?? text('transcript.editing')}
        labelHidden
        value={words}
        onChange={write}
        // The input is frozen while it is stored: it would be lost with the form.
        readOnly={saving}
        rows={Math.min(16, Math.max(4, words.split('\n').length + 1))}
        ref={box}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (isSendKey(sendKey, event)) {
            // The key that opened the form may still be down.
            if (!event.repeat) reportError(save());
          }
          // Escape does not discard changed input.
          else if (event.key !== 'Escape') return;
          else if (words === before && along?.isChanged !== true) leave();
          event.preventDefault();
        }}
      />
      {along && <div inert={saving}>{along.view}</div>}
      <div className="EditBox-actions">
        <Button onClick={leave}>{text('kit.cancel')}</Button>
        <Button kind="primary" submit disabled={waits}>
          {saveWords ?? text('transcript.resend')}
        </Button>
      </div>
    </form>
  );
}

/**
 * Scrolls the form into view once its row has been measured: before, there is no room to scroll to. Not if
 * `asked` is false: the user did not open it.
 */
function useScrollIntoView(box: RefObject<HTMLTextAreaElement | null>, asked: boolean) {
  const [comes] = useState(asked);
  useEffect(() => {
    if (!comes) return;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        box.current?.form?.scrollIntoView({ block: 'nearest' });
      });
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [box, comes]);
}
