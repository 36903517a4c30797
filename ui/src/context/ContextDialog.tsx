/**
 * "Context estimate": the use of the context window, its breakdown, and the actions that change it.
 */
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Draft, SessionId, SessionView, ThreadId } from '../ipc/bindings';
import { Banner } from '../kit/display/Banner';
import { Button } from '../kit/controls/Button';
import { Dialog } from '../kit/overlays/Dialog';
import { Disclosure } from '../kit/controls/Disclosure';
import { ErrorBoundary } from '../kit/display/ErrorBoundary';
import { IconButton } from '../kit/controls/IconButton';
import { Menu, MenuRadioGroup } from '../kit/controls/Menu';
import { Row } from '../kit/display/Stack';
import { Switch } from '../kit/fields/Switch';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { assumedWindow } from '../state/models/modelRef';
import { errorText } from '../state/text/errorText';
import { useEstimate } from '../state/queries/estimateQueries';
import { useCompactionStatus, queryKeys } from '../state/queries/queries';
import { useCompactionError } from '../state/turn/turnNoticeLifetime';
import { useNavigateToModel } from '../state/app/modelNavigation';
import { ActivityLog } from './compaction/ActivityLog';
import { BreakdownTable } from './breakdown/BreakdownTable';
import { CacheUseNote } from './breakdown/CacheUseNote';
import { DeferredToolsNote } from './breakdown/DeferredToolsNote';
import { SupersededReadsNote } from './breakdown/SupersededReadsNote';
import { LeftOutTools } from './LeftOutTools';
import { CompactButton } from './compaction/CompactButton';
import { CompactionHistory } from './compaction/CompactionHistory';
import { EstimateNumbers } from './EstimateNumbers';
import { HealthChart } from './HealthChart';
import { PinnedTokensNote } from './PinnedTokensNote';
import { ContextSavings } from './savings/ContextSavings';
import { PromptPreview } from './PromptPreview';
import { StrategyChoice } from './StrategyChoice';
import './ContextDialog.css';

type ContextDialogProps = { view: SessionView; threadId: ThreadId; onClose: () => void };

export function ContextDialog({ view, threadId, onClose }: ContextDialogProps) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const toModel = useNavigateToModel();
  const sessionId = view.session.id;
  const { data: estimate } = useEstimate(sessionId, view.draft);
  const { data: status } = useCompactionStatus(sessionId);
  const compacting = status?.type === 'running';
  return (
    <Dialog title={text('context.estimate')} onClose={onClose} size="wide">
      <EstimateNumbers {...{ sessionId, estimate }} strategy={view.strategy} />
      <PinnedTokensNote sessionId={sessionId} />
      <div className="ContextDialog-acts">
        <CompactButton sessionId={sessionId} threadId={view.session.currentThread} />
        <AutoCompactionSwitch
          view={view}
          known={estimate && estimate.limit !== null}
          compacting={compacting}
        />
      </div>
      <CompactionErrorBanner sessionId={sessionId} />
      {estimate && !estimate.limit && (
        <>
          <p className="ContextDialog-note">{text('context.noWindow')}</p>
          <Row>
            <Button
              onClick={() => {
                toModel(estimate.model);
              }}
            >
              {text('context.setWindow')}
            </Button>
            <Button
              onClick={() => {
                reportError(
                  commands.changeModel(estimate.model, { type: 'window', value: assumedWindow }),
                );
              }}
            >
              {text('context.useAssumed')}
            </Button>
          </Row>
        </>
      )}
      <StrategyChoice view={view} />
      <CollapsibleSection label={text('context.breakdownTitle')} initiallyOpen>
        <BreakdownSection sessionId={sessionId} draft={view.draft} />
      </CollapsibleSection>
      <CollapsibleSection label={text('healthChart.title')}>
        <HealthChart sessionId={sessionId} threadId={view.session.currentThread} />
      </CollapsibleSection>
      <CollapsibleSection label={text('context.seen')}>
        <PromptPreview sessionId={sessionId} draft={view.draft} />
      </CollapsibleSection>
      <CollapsibleSection label={text('compaction.title')}>
        <CompactionHistory view={view} />
      </CollapsibleSection>
      <CollapsibleSection
        label={text(
          threadId === view.session.currentThread ? 'compaction.log' : 'compaction.logOfShown',
        )}
      >
        <ActivityLog sessionId={sessionId} threadId={threadId} />
      </CollapsibleSection>
    </Dialog>
  );
}

/** A section with an ErrorBoundary of its own: one that fails leaves the others. */
function CollapsibleSection({ children, ...line }: ComponentProps<typeof Disclosure>) {
  return (
    <Disclosure {...line}>
      <ErrorBoundary holds={line.label}>{children}</ErrorBoundary>
    </Disclosure>
  );
}

function BreakdownSection({ sessionId, draft }: { sessionId: SessionId; draft: Draft }) {
  const text = useText();
  const { commands } = useBackend();
  const { data: breakdown } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'breakdown', draft],
    queryFn: () => commands.breakdown(sessionId, draft),
    placeholderData: (previous) => previous,
    gcTime: 10_000,
  });
  if (!breakdown) return <p>{text('kit.loading')}</p>;
  const { deferredTools = null } = breakdown;
  return (
    <>
      <BreakdownTable breakdown={breakdown} />
      <p className="ContextDialog-note">{text('seen.tokenHint')}</p>
      {deferredTools && <DeferredToolsNote report={deferredTools} />}
      <SupersededReadsNote breakdown={breakdown} />
      <CacheUseNote sessionId={sessionId} />
      <LeftOutTools sessionId={sessionId} />
      <ContextSavings sessionId={sessionId} />
    </>
  );
}

/** The notices of the compaction bar, which this dialog covers. */
function CompactionErrorBanner({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const fault = useCompactionError(sessionId);
  return fault && <Banner kind="warning">{errorText(text, fault)}</Banner>;
}

const ownWords = { follow: 'context.followed', on: 'context.on', off: 'context.off' } as const;

type AutoCompactionSwitchProps = {
  view: SessionView;
  /** True if the model's prompt limit is known; undefined: not read yet. */
  known: boolean | undefined;
  compacting: boolean;
};

function AutoCompactionSwitch({ view, known, compacting }: AutoCompactionSwitchProps) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const { overrides, id } = view.session;
  const own = overrides.autoCompaction ?? 'follow';
  const choose = (value: 'follow' | 'on' | 'off') => {
    const own = value === 'follow' ? null : value;
    reportError(commands.setOverride(id, { name: 'autoCompaction', value: own }));
  };
  return (
    <div className="ContextDialog-auto">
      <Switch
        label={text('context.auto')}
        hint={text(compacting ? 'context.compacting' : ownWords[own])}
        checked={view.automatic && known !== false}
        disabled={!known || compacting}
        onChange={(on) => {
          choose(on ? 'on' : 'off');
        }}
      />
      <Menu trigger={<IconButton label={text('context.autoMenu')} icon="more" />} align="end">
        <MenuRadioGroup
          value={own}
          onChange={choose}
          choices={(['follow', 'on', 'off'] as const).map((value) => ({
            value,
            label: text(`context.${value}`),
          }))}
        />
      </Menu>
    </div>
  );
}
