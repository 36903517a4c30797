/**
 * Quick questions: side questions from the context of a new session, in a small window of their own. Nothing
 * of them is stored until they are continued in the app window. Escape hides the window, which keeps its
 * content.
 */
import { useEffect, useRef } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId } from '../ipc/bindings';
import { Button } from '../kit/controls/Button';
import { isComposing } from '../kit/keyboard/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import { useNoteUnsaved } from '../state/app/useNoteUnsaved';
import { useReportError } from '../state/text/useReportError';
import { AsideRounds } from './AsideRounds';
import { AskForm } from './AskForm';
import { changeAside, isIdle, openAside, sideRounds, useAside } from './asideStore';
import type { Aside } from './asideStore';
import './QuickAsk.css';

export function QuickAsk() {
  const aside = useAside('quick');
  useEffect(() => {
    openAside('quick');
  }, []);
  return aside && <OpenQuickAsk aside={aside} />;
}

function OpenQuickAsk({ aside }: { aside: Aside }) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const { content, focusField } = useFocusOnShow();
  useEscape(() => {
    reportError(commands.hideQuickAsk());
  });
  const rounds = sideRounds(aside);
  const startOver = () => {
    changeAside('quick', () => ({ rounds: [], error: null }));
    focusField();
  };
  const carryOver = async () => {
    changeAside('quick', () => ({ isKeeping: true }));
    let session: SessionId;
    try {
      session = await storeInSession();
    } finally {
      changeAside('quick', () => ({ isKeeping: false }));
    }
    // Before anything else can fail: the rounds would be stored twice. Text written meanwhile stays.
    changeAside('quick', ({ draft }) => (draft === aside.draft ? { draft: '' } : {}));
    startOver();
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
    <main className="QuickAsk" aria-label={text('app.quickAsk')} ref={content}>
      <div className="QuickAsk-rounds">
        <AsideRounds asideKey="quick" aside={aside} />
      </div>
      <AskForm asideKey="quick" aside={aside}>
        <Button
          disabled={!isIdle(aside) || isEmpty}
          onClick={() => {
            reportError(carryOver());
          }}
        >
          {text('quick.continue')}
        </Button>
        {aside.rounds.length > 0 && (
          <Button disabled={!isIdle(aside)} onClick={startOver}>
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
  const focusField = () => {
    content.current?.querySelector('textarea')?.focus();
  };
  useEffect(() => {
    const onFocus = () => {
      if (document.activeElement === document.body) focusField();
    };
    window.addEventListener('focus', onFocus);
    return () => {
      window.removeEventListener('focus', onFocus);
    };
  }, []);
  return { content, focusField };
}
