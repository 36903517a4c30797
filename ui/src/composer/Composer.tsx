/**
 * The box: what is written is kept as a draft, counted, and sent to the chosen model.
 */
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useText } from '../i18n';
import type { ContextEstimate, SessionView } from '../ipc/bindings';
import { focusHome } from '../kit/a11y/restoreFocus';
import { isSendKey } from '../kit/layers/sendKey';
import { isComposing } from '../kit/layers/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import type { Command } from '../state/app/command';
import { errorText, toAppError } from '../state/text/errorText';
import { useEstimate, useSettings } from '../state/queries/queries';
import { useIsReplying } from '../state/turn/turnStore';
import { AttachMenu } from './attachments/AttachMenu';
import { useAttachments } from './attachments/useAttachments';
import { AttachmentList } from './attachments/AttachmentList';
import { useAutosize } from './useAutosize';
import { ComposerShortcuts } from './ComposerShortcuts';
import { CommandMenu, useCommandMenu } from './commands/CommandMenu';
import { parseCommand } from './commands/useCommands';
import { useDraft } from './draft/useDraft';
import { TokenEstimateButton, pendingContextAction } from './TokenEstimateButton';
import { FolderButton } from './folder/FolderButton';
import { FolderNotice } from './folder/FolderNotice';
import { ContextHealthRing } from './ContextHealthRing';
import {
  cancelDeferredSend,
  dismissPending,
  isForMessage,
  usePendingAttachments,
  deferSend,
} from './attachments/pendingAttachments';
import { PendingSend } from './sending/PendingSend';
import { ModelMenu } from './model/ModelMenu';
import { usePrompts } from './commands/usePrompts';
import { useSendOrQueue } from './sending/useSendOrQueue';
import { SendButtons } from './sending/SendButtons';
import { SendingMessages } from './sending/SendingMessages';
import { McpServersNotice } from './McpServersNotice';
import { QueuedMessages } from './sending/QueuedMessages';
import { isEmptyDraft } from './draft/draftStore';
import './Composer.css';

type ComposerProps = {
  view: SessionView;
  commands: readonly Command[];
  onEstimate: () => void;
  /** What the estimate says, where it is pointed at; absent while it is counted for the first time. */
  numbers: (estimate: ContextEstimate | undefined) => ReactNode;
  /** A message has left the box. */
  onSent: () => void;
  /** Opens the person's last message for editing; false where there is none. */
  onEditLast: () => boolean;
  /** Scrolls the conversation by a page, down or up. */
  onPage: (by: 1 | -1) => void;
};

export function Composer(props: ComposerProps) {
  const { view, commands: own, onEstimate, numbers, onSent, onEditLast, onPage } = props;
  const text = useText();
  const toast = useToast();
  const sessionId = view.session.id;
  const running = useIsReplying(view);
  const sendKey = useSettings().data?.settings.keyboard.send ?? 'enter';
  const { draft, leaving, setDraft, write, save, rested, putBack, ...message } = useDraft(view);
  const due = pendingContextAction(useEstimate(sessionId, rested).data);
  const box = useAutosize(draft.text);
  const edge = useRef<HTMLDivElement>(null);
  const hintId = useId();

  const failed = (thrown: unknown) => {
    toast({ words: errorText(text, toAppError(thrown)), failed: true });
  };
  const setText = (words: string) => {
    setDraft((now) => ({ ...now, text: words }));
  };

  const reading = usePendingAttachments(sessionId);
  const queue = useSendOrQueue(view);
  const prompts = usePrompts({ session: sessionId, own, write, onFailed: failed });
  const commands = [...own, ...prompts.commands];

  /** Does what a line asks for; what could not be done goes back into the box, or is said beside it. */
  const run = (command: Command, argument: string | null) => {
    const line = draft.text;
    setDraft((now) => ({ ...now, text: '' }));
    const begun = save().then(() => command.run(argument));
    begun.catch((thrown: unknown) => {
      if (putBack(line)) failed(thrown);
      else {
        const why = errorText(text, toAppError(thrown));
        toast({ words: text('commands.notDone', { line, why }), failed: true });
      }
    });
  };
  const send = () => {
    // What is written next goes on from here.
    focusHome();
    const asked = parseCommand(draft.text, commands);
    if (asked) {
      run(asked.command, asked.argument);
      return;
    }
    if (reading.some(isForMessage)) {
      // One waits already: what is written now is sent after it.
      if (leaving) return;
      onSent();
      message.holdForSend();
      deferSend(sessionId, {
        send: () => {
          message.sendHeld(queue).catch(failed);
        },
        returnToDraft: message.returnHeld,
      });
      return;
    }
    if (isEmptyDraft(draft)) return;
    onSent();
    message.clearAndSend(draft, () => queue(draft)).catch(failed);
  };
  const back = () => {
    cancelDeferredSend(sessionId);
  };
  const menu = useCommandMenu({
    words: draft.text,
    commands,
    onRun: (command) => {
      run(command, null);
    },
    onComplete: setText,
  });

  const attaching = useAttachments({ session: sessionId, write, onFailed: failed });

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // The Enter that ends an input method's composition never sends.
    if (isComposing(event.nativeEvent) || menu.onKey(event)) return;
    if (isSendKey(sendKey, event)) {
      event.preventDefault();
      // A key that is held says it once.
      if (!event.repeat) send();
    } else if (event.key === 'Escape' && leaving && !running) {
      event.preventDefault();
      back();
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
      <ComposerShortcuts edge={edge} onAttach={attaching.choose} />
      <FolderNotice view={view} />
      <McpServersNotice replying={running} />
      <QueuedMessages
        sessionId={sessionId}
        waiting={view.waiting}
        running={running}
        onTakeBack={message.mergeQueued}
      />
      <SendingMessages messages={message.underWay} />
      {leaving && <PendingSend message={leaving} onBack={back} />}
      {menu.menu && <CommandMenu menu={menu.menu} />}
      <div className="Composer-card" data-over={attaching.isOver || undefined}>
        <AttachmentList
          view={view}
          parts={draft.attachments}
          reading={reading}
          onDismiss={(id) => {
            dismissPending(sessionId, id);
          }}
          onRemove={(at) => {
            setDraft((now) => ({
              ...now,
              attachments: now.attachments.filter((_, other) => other !== at),
            }));
          }}
          onPutBack={attaching.putBack}
        />
        <textarea
          ref={box}
          className="Composer-box"
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
          onPaste={attaching.onPaste}
          {...menu.ties}
        />
        {menu.hint !== null && (
          <p id={hintId} className="Composer-hint">
            {menu.hint}
          </p>
        )}
        <div ref={edge} className="Composer-edge">
          <AttachMenu onFiles={attaching.choose} onFromServer={attaching.fromServer} />
          <FolderButton view={view} />
          <ModelMenu view={view} />
          <span className="Composer-space" />
          <ContextHealthRing sessionId={sessionId} due={due} />
          <TokenEstimateButton
            sessionId={sessionId}
            draft={rested}
            numbers={numbers}
            onOpen={onEstimate}
          />
          <SendButtons
            session={sessionId}
            running={running}
            isEmpty={isEmptyDraft(draft)}
            isIdle={isEmptyDraft(draft) && !reading.some(isForMessage)}
            sendKey={sendKey}
            onSend={send}
          />
        </div>
      </div>
    </div>
  );
}

/** A page up or down where all that is written is in view: there is nothing in the box to scroll. */
function isPageScroll({ key, currentTarget: box, ...held }: KeyboardEvent<HTMLTextAreaElement>) {
  const isModified = held.shiftKey || held.ctrlKey || held.altKey || held.metaKey;
  if (isModified || (key !== 'PageUp' && key !== 'PageDown')) return false;
  return box.scrollHeight <= box.clientHeight;
}
