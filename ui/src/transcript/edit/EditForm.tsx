/**
 * A message or a summary being edited in its place. What becomes of what is written there: editDrafts.ts.
 */
import { useEffect, useEffectEvent, useState, type ReactNode, type RefObject } from 'react';
import { acceptsDrops } from '../../attachments/useFileDrop';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import { Button } from '../../kit/controls/Button';
import { useFocusWhileOpen } from '../../kit/a11y/focus';
import { isSendKey } from '../../kit/layers/sendKey';
import { isComposing } from '../../kit/layers/shortcuts';
import { TextArea } from '../../kit/fields/TextArea';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useAutosave } from '../../state/hooks/useAutosave';
import { useSettings } from '../../state/queries/queries';
import { messageText } from '../state/messageText';
import { updateEdit, discardEdit, saveEdit, editChanges, type EditTarget } from './editDrafts';

/** What goes along with the words. */
export type EditExtras = {
  /** It, below them. */
  view: ReactNode;
  /** There need be no words. */
  isEnough: boolean;
  /** What it is at this moment. */
  now: unknown;
  /** It is not as it was. */
  isChanged: boolean;
  /** Something of it is still being read. */
  isReading: boolean;
  /** Something is held over it that would be added. */
  isDropTarget: boolean;
  box: RefObject<HTMLFormElement | null>;
};

type EditFormProps = {
  edited: EditTarget;
  /** Its accessible name, where it is no message that is edited. */
  label?: string;
  save?: string;
  along?: EditExtras;
  /** Whether the words are stored; where they are not, it says why or rejects with it. */
  onSave: (text: string) => Promise<boolean>;
  onClose: () => void;
};

export function EditForm(props: EditFormProps) {
  const { edited, label, save: saveWords, along, onSave, onClose } = props;
  const text = useText();
  const attempt = useReportError(useToast());
  const chosen = useSettings().data?.settings.keyboard.send ?? 'enter';
  // What is saved and not sent has many lines: Enter breaks one.
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
        attempt(save());
      }}
    >
      <TextArea
        label={label ?? text('transcript.editing')}
        labelHidden
        value={words}
        onChange={write}
        // What is written while it is stored would go with the box.
        readOnly={saving}
        rows={Math.min(16, Math.max(4, words.split('\n').length + 1))}
        ref={box}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (isSendKey(sendKey, event)) {
            // The key that opened it may still be held.
            if (!event.repeat) attempt(save());
          }
          // What was changed is not thrown away by a key that is pressed in passing.
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
 * Scrolls the box and its buttons into view once its row has been measured: before, the room it grows into is
 * not there to be scrolled to. Not `asked`: nobody opened it.
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
