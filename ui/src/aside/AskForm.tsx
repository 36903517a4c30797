/** The field for a side question, and the buttons below it. */
import { type ReactNode } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { useFocusWhileOpen } from '../kit/a11y/focus';
import { Button } from '../kit/controls/Button';
import { TextArea } from '../kit/fields/TextArea';
import { isSendKey } from '../kit/keyboard/sendKey';
import { isComposing } from '../kit/keyboard/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import { useSettings } from '../state/queries/queries';
import { useReportError } from '../state/text/useReportError';
import { canAsk, changeAside, type Aside, type AsideKey } from './asideStore';
import { useAskDraft } from './useAskAside';
import './AsidePanel.css';

type AskFormProps = {
  asideKey: AsideKey;
  aside: Aside;
  /** Further buttons. */
  children: ReactNode;
};

export function AskForm({ asideKey, aside, children }: AskFormProps) {
  const field = useFocusWhileOpen<HTMLTextAreaElement>();
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const { session } = aside;
  const askDraft = useAskDraft(asideKey);
  const sendKey = useSettings().data?.settings.keyboard.send ?? 'enter';
  return (
    <div>
      <TextArea
        ref={field}
        label={text('aside.question')}
        value={aside.draft}
        rows={3}
        onChange={(draft) => {
          changeAside(asideKey, () => ({ draft }));
        }}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent) || !isSendKey(sendKey, event)) return;
          event.preventDefault();
          void askDraft();
        }}
      />
      <div className="Aside-acts">
        {aside.pending ? (
          <Button
            icon="stop"
            onClick={() => {
              if (session !== null) reportError(commands.stopSideQuestion(session));
              field.current?.focus();
            }}
          >
            {text('aside.stop')}
          </Button>
        ) : (
          <Button kind="primary" disabled={!canAsk(aside)} onClick={() => void askDraft()}>
            {text('aside.ask')}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}
