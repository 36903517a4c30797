/**
 * How hard the model is asked to think in this session. Where it is not known to think, nothing would be
 * said to it, and nothing is offered.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ReasoningEffort, SessionView } from '../../ipc/bindings';
import { Select } from '../../kit/fields/Select';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { isSameModel } from '../../state/models/modelRef';
import { useModels } from '../../state/queries/queries';

const efforts = [
  'default',
  'off',
  'low',
  'medium',
  'high',
] as const satisfies readonly ReasoningEffort[];

/** Nothing decided here: what is set for the model holds. */
const modelDefault = 'asSet';

export function ReasoningEffortMenu({ view }: { view: SessionView }) {
  const text = useText();
  const attempt = useReportError(useToast());
  const { commands } = useBackend();
  const { data: models = [] } = useModels();
  const { session } = view;
  const known = models.find(({ model }) => isSameModel(model, view.model));
  if (known?.spec.reasoning !== true) return null;
  const decided = session.overrides.effort ?? null;
  const label = text('settings.effort');
  const words = (effort: ReasoningEffort) => text(`settings.effort_${effort}`);
  return (
    <div className="Composer-thinking">
      <Select<ReasoningEffort | typeof modelDefault>
        label={label}
        labelHidden
        quiet
        icon="thinking"
        shown={decided === null ? label : text('kit.labelled', { label, words: words(decided) })}
        value={decided ?? modelDefault}
        options={[
          { value: modelDefault, label: text('composer.thinksAsSet') },
          ...efforts.map((value) => ({ value, label: words(value) })),
        ]}
        onChange={(chosen) => {
          const value = chosen === modelDefault ? null : chosen;
          attempt(commands.setOverride(session.id, { name: 'effort', value }));
        }}
      />
    </div>
  );
}
