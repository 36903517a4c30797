/**
 * Quick questions: side questions of an unused session in a small window of their own. Nothing of them is
 * stored until they are continued in the app window. Escape hides the window, which keeps its content.
 */
import { useEffect, useRef } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId } from '../ipc/bindings';
import { Button } from '../kit/controls/Button';
import { isComposing } from '../kit/layers/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import { useNoteUnsaved } from '../state/app/useNoteUnsaved';
import { useReportError } from '../state/text/useReportError';
import { AsideRounds } from './AsideRounds';
import { AskForm } from './AskForm';
import { changeAside, forgetAside, isIdle, openAside, sideRounds, useAside } from './asideStore';
import type { Aside } from './asideStore';
import './QuickAsk.css';

type QuickAskProps = {
  /** An unused session, from whose context is asked. */
  sessionId: SessionId;
  /** The next questions are asked from another unused session. */
  onNew: (session: SessionId) => void;
};

export function QuickAsk({ sessionId, onNew }: QuickAskProps) {
  const aside = useAside(sessionId);
  useEffect(() => {
    openAside(sessionId);
  }, [sessionId]);
  return aside && <OpenQuickAsk {...{ sessionId, onNew, aside }} />;
}

function OpenQuickAsk({ sessionId, onNew, aside }: QuickAskProps & { aside: Aside }) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const field = useFocusOnShow();
  useEscape(() => {
    reportError(commands.hideQuickAsk());
  });
  const rounds = sideRounds(aside);
  const startOver = async (draft: string) => {
    const next = await commands.newChat('', [], null);
    forgetAside(sessionId);
    openAside(next);
    changeAside(next, () => ({ draft }));
    onNew(next);
  };
  const carryOver = async () => {
    changeAside(sessionId, () => ({ isKeeping: true }));
    let session: SessionId;
    try {
      session = await storeInSession();
    } finally {
      changeAside(sessionId, () => ({ isKeeping: false }));
    }
    // Before anything else can fail: the rounds would be stored twice.
    await startOver('');
    await commands.showInAppWindow(session);
    await commands.hideQuickAsk();
  };
  /** The draft is merged into the composer, which the app window may have open with a draft of its own. */
  const storeInSession = async () => {
    const answeredBy = rounds.findLast(({ model }) => model !== null)?.model ?? null;
    const session = await commands.newChat(aside.draft.trim(), [], answeredBy);
    if (rounds.length > 0) await commands.keepSideQuestions(session, rounds);
    return session;
  };
  const isEmpty = aside.rounds.length === 0 && aside.draft.trim() === '';
  useNoteUnsaved(!isEmpty || !isIdle(aside));
  return (
    <main className="QuickAsk" aria-label={text('app.quickAsk')} ref={field}>
      <div className="QuickAsk-rounds">
        <AsideRounds {...{ sessionId, aside }} />
      </div>
      <AskForm {...{ sessionId, aside }}>
        <Button
          disabled={!isIdle(aside) || isEmpty}
          onClick={() => {
            reportError(carryOver());
          }}
        >
          {text('quick.continue')}
        </Button>
        {aside.rounds.length > 0 && (
          <Button
            disabled={!isIdle(aside)}
            onClick={() => {
              reportError(startOver(aside.draft));
            }}
          >
            {text('quick.startOver')}
          </Button>
        )}
      </AskForm>
      <p className="Aside-note">{text('quick.about')}</p>
    </main>
  );
}

/** Escape in the window, unless an input method or an overlay takes it. */
function useEscape(onEscape: () => void) {
  const act = useRef(onEscape);
  useEffect(() => {
    act.current = onEscape;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return;
      event.preventDefault();
      act.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

/** The window that is shown again has the focus in its field. */
function useFocusOnShow() {
  const content = useRef<HTMLElement>(null);
  useEffect(() => {
    const onFocus = () => {
      if (document.activeElement === document.body) {
        content.current?.querySelector('textarea')?.focus();
      }
    };
    window.addEventListener('focus', onFocus);
    return () => {
      window.removeEventListener('focus', onFocus);
    };
  }, []);
  return content;
}
