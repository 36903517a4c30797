/**
 * The panel of side questions beside the conversation. It is forgotten when it closes, after one question if
 * it holds text.
 */
import { useId } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId } from '../ipc/bindings';
import { ConfirmDialog } from '../kit/overlays/ConfirmDialog';
import { Button } from '../kit/controls/Button';
import { IconButton } from '../kit/controls/IconButton';
import { isComposing } from '../kit/keyboard/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { AsideRounds } from './AsideRounds';
import { AskForm } from './AskForm';
import {
  changeAside,
  closeAside,
  forgetAside,
  isIdle,
  sideRounds,
  useAside,
  type Aside,
} from './asideStore';

export function AsidePanel({ sessionId }: { sessionId: SessionId }) {
  const aside = useAside(sessionId);
  return aside && <OpenAside key={sessionId} {...{ sessionId, aside }} />;
}

type OpenAsideProps = { sessionId: SessionId; aside: Aside };

function OpenAside({ sessionId, aside }: OpenAsideProps) {
  const text = useText();
  const titleId = useId();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const close = () => {
    closeAside(sessionId);
  };
  const forget = () => {
    if (aside.pending) reportError(commands.stopSideQuestion(sessionId));
    forgetAside(sessionId);
  };
  return (
    <>
      {/* Escape closes the panel like its button. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        className="Aside"
        aria-labelledby={titleId}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent))
            return;
          event.preventDefault();
          close();
        }}
      >
        <header className="Aside-head">
          <h2 id={titleId}>{text('aside.title')}</h2>
          <IconButton label={text('kit.close')} icon="close" onClick={close} />
        </header>
        <p className="Aside-about">{text('aside.about')}</p>
        <AsideRounds asideKey={sessionId} aside={aside} />
        <AskForm asideKey={sessionId} aside={aside}>
          {sideRounds(aside).length > 0 && <KeepButton {...{ sessionId, aside }} />}
        </AskForm>
      </section>
      {/* A sibling, so that its Escape does not bubble to the panel. */}
      {aside.isClosing && (
        <ConfirmDialog
          title={text('aside.closeTitle')}
          words={text('aside.closeWords')}
          confirm={text('aside.forget')}
          onConfirm={forget}
          onClose={() => {
            changeAside(sessionId, () => ({ isClosing: false }));
          }}
        />
      )}
    </>
  );
}

/** Puts the questions with their answers into the conversation. */
function KeepButton({ sessionId, aside }: OpenAsideProps) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();
  const reportError = useReportError(toast);
  const keep = async () => {
    changeAside(sessionId, () => ({ isKeeping: true }));
    try {
      await commands.keepSideQuestions(sessionId, sideRounds(aside));
    } catch (error) {
      changeAside(sessionId, () => ({ isKeeping: false }));
      throw error;
    }
    forgetAside(sessionId);
    toast({ words: text('aside.kept') });
  };
  return (
    <Button
      disabled={!isIdle(aside)}
      onClick={() => {
        reportError(keep());
      }}
    >
      {text('aside.keep')}
    </Button>
  );
}
