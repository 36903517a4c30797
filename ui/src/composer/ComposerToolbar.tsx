/**
 * The controls below the text of a message: attachments, folder, model, context health, token estimate and
 * the buttons that send.
 */
import type { ReactNode, Ref } from 'react';
import type { ContextEstimate, Draft, SendKey, SessionView } from '../ipc/bindings';
import { pendingContextAction, useEstimate } from '../state/queries/estimateQueries';
import { AttachMenu } from './attachments/AttachMenu';
import type { useAttachments } from './attachments/useAttachments';
import { ContextHealthRing } from './ContextHealthRing';
import { FolderButton } from './folder/FolderButton';
import { ModelMenu } from './model/ModelMenu';
import { SendButtons } from './sending/SendButtons';
import { TokenEstimateButton } from './TokenEstimateButton';

type ComposerToolbarProps = {
  ref: Ref<HTMLDivElement>;
  view: SessionView;
  running: boolean;
  attachments: ReturnType<typeof useAttachments>;
  /** The draft that the token estimate counts. */
  debouncedDraft: Draft;
  numbers: (estimate: ContextEstimate | undefined) => ReactNode;
  onEstimate: () => void;
  isEmpty: boolean;
  /** There is nothing to send, and no attachment is being read. */
  isIdle: boolean;
  sendKey: SendKey;
  onSend: () => void;
};

export function ComposerToolbar({ ref, ...props }: ComposerToolbarProps) {
  const { view, running, attachments, debouncedDraft } = props;
  const sessionId = view.session.id;
  const due = pendingContextAction(useEstimate(sessionId, debouncedDraft).data);
  return (
    <div ref={ref} className="Composer-toolbar">
      <AttachMenu onFiles={attachments.choose} onFromServer={attachments.fromServer} />
      <FolderButton view={view} />
      <ModelMenu view={view} />
      <span className="Composer-spacer" />
      <ContextHealthRing sessionId={sessionId} due={due} />
      <TokenEstimateButton
        sessionId={sessionId}
        draft={debouncedDraft}
        numbers={props.numbers}
        onOpen={props.onEstimate}
      />
      <SendButtons
        session={sessionId}
        running={running}
        isEmpty={props.isEmpty}
        isIdle={props.isIdle}
        sendKey={props.sendKey}
        onSend={props.onSend}
      />
    </div>
  );
}
