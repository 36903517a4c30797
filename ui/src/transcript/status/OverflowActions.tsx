/**
 * The three actions for a conversation that does not fit into the context window, the most useful first.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ModelRef, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Menu, MenuItem } from '../../kit/controls/Menu';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { isSameModel, modelKey } from '../../state/models/modelRef';
import { useModels, useSession } from '../../state/queries/queries';
import { useCompactionActions } from '../../state/turn/useCompactionActions';

/** The models that the menu shows without scrolling. */
const maxModels = 8;

type OverflowActionsProps = {
  sessionId: SessionId;
  /** The context window that was too small, in tokens; null: unknown. */
  limit: number | null;
  /**
   * Opens the context dialog, if a compaction cannot help. Undefined: compaction is the first action.
   */
  onEstimate?: (() => void) | undefined;
};

export function OverflowActions({ sessionId, limit, onEstimate }: OverflowActionsProps) {
  const text = useText();
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  const { compact } = useCompactionActions(sessionId);
  const { data: models = [] } = useModels();
  const { data: view } = useSession(sessionId);
  const current = view && models.find(({ model }) => isSameModel(model, view.model));
  const tooSmall = Math.max(limit ?? 0, current?.limit ?? 0);
  const larger = models
    .filter((model) => (model.limit ?? 0) > tooSmall)
    .sort((one, other) => (other.limit ?? 0) - (one.limit ?? 0))
    .slice(0, maxModels);
  const use = (model: ModelRef) => {
    reportError(commands.setModel(sessionId, model));
  };
  return (
    <span className="WaysOut" role="group" aria-label={text('providers.waysOut')}>
      {onEstimate ? (
        <Button onClick={onEstimate}>{text('providers.breakdown')}</Button>
      ) : (
        <Button
          icon="compress"
          onClick={() => {
            reportError(compact());
          }}
        >
          {text('providers.compact')}
        </Button>
      )}
      <Menu
        trigger={
          <Button kind="quiet" disabled={larger.length === 0}>
            {text('providers.largerModel')}
          </Button>
        }
      >
        {larger.map(({ model, name }) => (
          <MenuItem
            key={modelKey(model)}
            onSelect={() => {
              use(model);
            }}
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
      <Button
        kind="quiet"
        icon="add"
        onClick={() => {
          reportError(commands.newThread(sessionId));
        }}
      >
        {text('providers.newThread')}
      </Button>
    </span>
  );
}
