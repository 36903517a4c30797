/**
 * Where the user writes a message. The draft is stored while it is written, its tokens are counted, and it
 * is sent to the session's model.
 */
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useText } from '../i18n';
import type { ContextEstimate, SessionView } from '../ipc/bindings';
import { isSendKey } from '../kit/keyboard/sendKey';
import { isComposing } from '../kit/keyboard/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import type { Command } from '../state/app/command';
import { errorText, toAppError } from '../state/text/errorText';
import { useSettings } from '../state/queries/queries';
import { useIsReplying } from '../state/turn/turnStore';
import { useAttachments } from './attachments/useAttachments';
import { AttachmentList } from './attachments/AttachmentList';
import { useAutosize } from './useAutosize';
import { BudgetWarning } from './notices/BudgetWarning';
import { ComposerShortcuts } from './ComposerShortcuts';
import { ComposerToolbar } from './ComposerToolbar';
import { CommandMenu, useCommandMenu } from './commands/CommandMenu';
import { useDraft } from './draft/useDraft';
import { ExpiredCacheNotice } from './notices/ExpiredCacheNotice';
import { FolderNotice } from './folder/FolderNotice';
import {
  cancelDeferredSend,
  dismissPending,
  isForMessage,
  usePendingAttachments,
} from './attachments/pendingAttachments';
import { PendingSend } from './sending/PendingSend';
import { usePrompts } from './commands/usePrompts';
import { SendingMessages } from './sending/SendingMessages';
import { useSubmitDraft } from './sending/useSubmitDraft';
import { McpServersNotice } from './notices/McpServersNotice';
import { QueuedMessages } from './sending/QueuedMessages';
import { isEmptyDraft } from './draft/draftStore';
import './Composer.css';

type ComposerProps = {
  view: SessionView;
  /** Skein's own commands. */
  commands: readonly Command[];
  onEstimate: () => void;
  /** The hover card of the token estimate; undefined: the first count is under way. */
  numbers: (estimate: ContextEstimate | undefined) => ReactNode;
  /** A message has left the composer. */
  onSent: () => void;
  /** Opens the user's last message for editing; false: there is none. */
  onEditLast: () => boolean;
  /** Scrolls the transcript by a page, down or up. */
  onPage: (by: 1 | -1) => void;
};

export function Composer(props: ComposerProps) {
  const { view, onEstimate, numbers, onSent, onEditLast, onPage } = props;
  const text = useText();
  const sessionId = view.session.id;
  const running = useIsReplying(view);
  const sendKey = useSettings().data?.settings.keyboard.send ?? 'enter';
  const draftState = useDraft(view);
  const { draft, pendingMessage, setDraft, updateDraft } = draftState;
  const textarea = useAutosize(draft.text);
  const toolbar = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const onFailed = useErrorToast();
  const pendingAttachments = usePendingAttachments(sessionId);
  const attachments = useAttachments({ session: sessionId, updateDraft, onFailed });
  const prompts = usePrompts({ session: sessionId, own: props.commands, updateDraft, onFailed });
  const commands = [...props.commands, ...prompts.commands];
  const { submit, runCommand } = useSubmitDraft({ view, draftState, commands, onSent, onFailed });

  const setText = (next: string) => {
    setDraft((current) => ({ ...current, text: next }));
  };
  const menu = useCommandMenu({
    line: draft.text,
    commands,
    onRun: (command) => {
      runCommand(command, null);
    },
    onComplete: setText,
  });
  const cancelSend = () => {
    cancelDeferredSend(sessionId);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // The Enter that ends an input method's composition never sends.
    if (isComposing(event.nativeEvent) || menu.onKey(event)) return;
    if (isSendKey(sendKey, event)) {
      event.preventDefault();
      if (!event.repeat) submit();
    } else if (event.key === 'Escape' && pendingMessage && !running) {
      event.preventDefault();
      cancelSend();
    } else if (event.key === 'ArrowUp' && draft.text === '' && !running && onEditLast()) {
      event.preventDefault();
    } else if (isPageScroll(event)) {
      event.preventDefault();
      onPage(event.key === 'PageUp' ? -1 : 1);
    }
  };

  return (
    <div className="Composer">
      {prompts.dialog}
      <ComposerShortcuts toolbar={toolbar} onAttach={attachments.choose} />
      <FolderNotice view={view} />
      <McpServersNotice replying={running} />
      <ExpiredCacheNotice view={view} draft={draftState.debouncedDraft} running={running} />
      <BudgetWarning sessionId={sessionId} />
      <QueuedMessages
        sessionId={sessionId}
        queued={view.waiting}
        running={running}
        onEdit={draftState.mergeQueued}
      />
      <SendingMessages messages={draftState.sendingMessages} />
      {pendingMessage && <PendingSend message={pendingMessage} onCancel={cancelSend} />}
      {menu.menu && <CommandMenu menu={menu.menu} />}
      <div className="Composer-card" data-over={attachments.isOver || undefined}>
        <AttachmentList
          view={view}
          attachments={draft.attachments}
          pending={pendingAttachments}
          onDismiss={(id) => {
            dismissPending(sessionId, id);
          }}
          onRemove={(index) => {
            setDraft((current) => ({
              ...current,
              attachments: current.attachments.filter((_, other) => other !== index),
            }));
          }}
          onInsertText={attachments.insertText}
        />
        <textarea
          ref={textarea}
          className="Composer-input"
          dir="auto"
          aria-label={text('composer.message')}
          aria-describedby={menu.hint === null ? undefined : hintId}
          placeholder={text('composer.placeholder')}
          rows={2}
          value={draft.text}
          onChange={(event) => {
            setText(event.target.value);
          }}
          onKeyDown={onKeyDown}
          onPaste={attachments.onPaste}
          {...menu.ariaProps}
        />
        {menu.hint !== null && (
          <p id={hintId} className="Composer-hint">
            {menu.hint}
          </p>
        )}
        <ComposerToolbar
          ref={toolbar}
          {...{ view, running, attachments, numbers, onEstimate, sendKey }}
          debouncedDraft={draftState.debouncedDraft}
          isEmpty={isEmptyDraft(draft)}
          isIdle={isEmptyDraft(draft) && !pendingAttachments.some(isForMessage)}
          onSend={submit}
        />
      </div>
    </div>
  );
}

function useErrorToast() {
  const text = useText();
  const toast = useToast();
  return (thrown: unknown) => {
    toast({ words: errorText(text, toAppError(thrown)), failed: true });
  };
}

/** A page key while the whole draft is visible: the textarea has nothing to scroll. */
function isPageScroll({ key, currentTarget, ...modifiers }: KeyboardEvent<HTMLTextAreaElement>) {
  const { shiftKey, ctrlKey, altKey, metaKey } = modifiers;
  if (shiftKey || ctrlKey || altKey || metaKey || (key !== 'PageUp' && key !== 'PageDown')) {
    return false;
  }
  return currentTarget.scrollHeight <= currentTarget.clientHeight;
}
