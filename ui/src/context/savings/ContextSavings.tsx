/**
 * "What could go": the parts of the next request that may not be needed, with their tokens, their cost and a
 * button that removes them. Nothing where nothing is worth it.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText, type Translate } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ContextSaving, SavingKind, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { escapeInvisible } from '../../kit/text/invisibleChars';
import { optional, queryKeys } from '../../state/queries/queries';
import { useEstimateText } from '../../state/text/costText';
import { useSavingAction } from './useSavingAction';
import './ContextSavings.css';

export function ContextSavings({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const { commands } = useBackend();
  const act = useSavingAction(sessionId);
  const { data: savings = [] } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'savings'],
    queryFn: () => commands.contextSavings(sessionId),
    ...optional,
  });
  if (savings.length === 0) return null;
  return (
    <section aria-label={text('savings.title')} className="ContextSavings">
      <h3>{text('savings.title')}</h3>
      <ul>
        {savings.map((saving) => (
          <li key={JSON.stringify(saving.kind)}>
            <SavingLine saving={saving} onAct={act} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type SavingLineProps = { saving: ContextSaving; onAct: (saving: ContextSaving) => void };

function SavingLine({ saving, onAct }: SavingLineProps) {
  const text = useText();
  const formats = useFormats();
  const estimateText = useEstimateText();
  const { kind, cost: estimate } = saving;
  const isPriced = estimate?.type === 'between' || estimate?.type === 'atLeast';
  const cost = isPriced ? estimateText(estimate) : null;
  const tokens = formats.exact(saving.tokens);
  const part = partText(text, kind);
  const action = text(`savings.act_${kind.type}`);
  return (
    <>
      <span className="ContextSavings-part">
        {part}
        <small>
          {cost === null
            ? text('savings.saves', { tokens })
            : text('savings.savesCost', { tokens, cost })}
        </small>
      </span>
      <Button
        aria-label={`${action}: ${part}`}
        onClick={() => {
          onAct(saving);
        }}
      >
        {action}
      </Button>
    </>
  );
}

function partText(text: Translate, kind: SavingKind): string {
  switch (kind.type) {
    case 'unusedTools': {
      const { tools, rounds } = kind;
      const names = tools.map(escapeInvisible).join(', ');
      return text('savings.unusedTools', { count: tools.length, rounds, names });
    }
    case 'attachment':
      return text('savings.attachment', { number: kind.number, name: escapeInvisible(kind.name) });
    case 'toolResult':
      return text('savings.toolResult', { number: kind.number, name: escapeInvisible(kind.tool) });
    case 'instructionFile':
      return text('savings.instructionFile', { name: escapeInvisible(kind.path) });
    case 'pinned':
      return text('savings.pinned', { number: kind.number });
    case 'compaction':
      return text('savings.compaction');
  }
}
