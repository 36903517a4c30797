/**
 * The side questions with their answers, the one that is arriving, and why the last one was not answered.
 */
import { useEffect, useEffectEvent } from 'react';
import { BudgetQuestion } from '../budgets/BudgetQuestion';
import { useFormats, useText } from '../i18n';
import type { SideAnswer, Truncation } from '../ipc/bindings';
import { Banner } from '../kit/display/Banner';
import { useAnnounce } from '../kit/notifications/LiveRegion';
import { toSpeech, type SpeechContext } from '../markdown/parse/toSpeech';
import { Markdown } from '../markdown/render/Markdown';
import { useCostText } from '../state/text/costText';
import { errorText } from '../state/text/errorText';
import { truncationText } from '../state/text/truncationText';
import { changeAside, type Aside, type AsideKey, type AsideRound } from './asideStore';
import { useAskDraft } from './useAskAside';
import './AsidePanel.css';

type AsideRoundsProps = { asideKey: AsideKey; aside: Aside };

export function AsideRounds({ asideKey, aside }: AsideRoundsProps) {
  const text = useText();
  const { session, rounds, pending, error } = aside;
  const askDraft = useAskDraft(asideKey);
  useAnnounceAnswer(rounds);
  return (
    <div className="Aside-rounds" role="group" aria-label={text('aside.conversation')}>
      {rounds.map((round, at) => (
        <article key={at}>
          <p className="Aside-question" dir="auto">
            {round.question}
          </p>
          <Answer round={round} />
        </article>
      ))}
      {pending && (
        <article>
          <p className="Aside-question" dir="auto">
            {pending.question}
          </p>
          {pending.arrived === '' ? (
            <p className="Aside-note">{text('aside.waiting')}</p>
          ) : (
            <Markdown text={pending.arrived} />
          )}
        </article>
      )}
      {error?.kind === 'overBudget' && session !== null && (
        <BudgetQuestion
          sessionId={session}
          stop={error.stop}
          onAllowed={askDraft}
          onDismiss={() => {
            changeAside(asideKey, () => ({ error: null }));
          }}
        />
      )}
      {error && error.kind !== 'overBudget' && (
        <Banner kind="danger">
          {errorText(text, error)}
          {error.kind === 'tooLong' && <> {text('aside.tooLong')}</>}
        </Banner>
      )}
    </div>
  );
}

/** The rounds that a screen reader has spoken. The panel mounts again with its session. */
const spoken = new WeakSet<AsideRound>();

/** A screen reader speaks each answer once, when it is whole, with how it ended. */
function useAnnounceAnswer(rounds: readonly AsideRound[]) {
  const announce = useAnnounce();
  const text = useText();
  const formats = useFormats();
  const newest = rounds.at(-1);
  const speak = useEffectEvent((round: AsideRound) => {
    if (spoken.has(round)) return;
    spoken.add(round);
    announce(answerSentences(round, { text, formats }));
  });
  useEffect(() => {
    if (newest) speak(newest);
  }, [newest]);
}

function* answerSentences(round: AsideRound, voice: SpeechContext): Generator<string, void> {
  yield* toSpeech(round.words, voice);
  const ending = endingText(round, voice);
  if (ending !== null) yield ending;
}

function Answer({ round }: { round: AsideRound }) {
  const text = useText();
  const formats = useFormats();
  const { words, call } = round;
  const ending = endingText(round, { text, formats });
  return (
    <>
      {words !== '' && <Markdown text={words} />}
      {call?.hasCalls === true && <p className="Aside-note">{text('aside.called')}</p>}
      {call?.hasCalls === false && call.ending.type === 'complete' && words === '' && (
        <p className="Aside-note">{text('aside.noWords')}</p>
      )}
      {call?.truncation && <TruncationNote truncation={call.truncation} />}
      {ending !== null && <p className="Aside-note">{ending}</p>}
      {call && <CallNote call={call} />}
    </>
  );
}

/** A part of the prompt that the provider cut off without an error. */
function TruncationNote({ truncation }: { truncation: Truncation }) {
  const text = useText();
  const key = truncation.how === 'noRoom' ? 'transcript.noRoom' : 'transcript.silentOverflow';
  return <p className="Aside-note">{text(key, truncation)}</p>;
}

/** The ending of the answer, if it is not the normal one. */
function endingText({ words, call }: AsideRound, voice: SpeechContext): string | null {
  const { text } = voice;
  if (!call) return text('aside.stopped');
  switch (call.ending.type) {
    case 'ended':
      return truncationText(call.ending.at, words === '', voice);
    case 'interrupted':
      return text(words === '' ? 'transcript.interruptedEmpty' : 'transcript.interrupted');
    case 'streaming':
    case 'complete':
    case 'failed':
      return null;
  }
}

/** The tokens that were read, the share of the cache in them, and the cost. */
function CallNote({ call: { usage, cost } }: { call: SideAnswer }) {
  const text = useText();
  const formats = useFormats();
  const costText = useCostText();
  const { prompt = null, cached = null } = usage;
  const notes: string[] = [];
  if (prompt !== null) {
    notes.push(text('providers.usagePrompt', { tokens: formats.tokens(prompt) }));
    if (cached !== null && cached > 0) {
      notes.push(text('providers.usageCached', { share: formats.percent(cached / prompt) }));
    } else if (cached === 0) {
      notes.push(text('aside.notCached'));
    }
  }
  const money = costText(cost);
  if (money !== null) notes.push(money);
  return <p className="Aside-note">{notes.join(' · ')}</p>;
}
