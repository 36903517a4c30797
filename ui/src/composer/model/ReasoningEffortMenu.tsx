/**
 * The reasoning effort for this session. Without a model that is known to reason, there is no menu: Skein
 * would send no effort.
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

/** No override for the session: the effort of the model's settings applies. */
const modelDefault = 'asSet';

export function ReasoningEffortMenu({ view }: { view: SessionView }) {
  const text = useText();
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  const { data: models = [] } = useModels();
  const { session } = view;
  const known = models.find(({ model }) => isSameModel(model, view.model));
  if (known?.spec.reasoning !== true) return null;
  const override = session.overrides.effort ?? null;
  const label = text('composer.effort');
  const effortName = (effort: ReasoningEffort) => text(`composer.effort_${effort}`);
  return (
    <div className="Composer-effort">
      <Select<ReasoningEffort | typeof modelDefault>
        label={label}
        labelHidden
        quiet
        icon="thinking"
        shown={
          override === null ? label : text('kit.labelled', { label, words: effortName(override) })
        }
        value={override ?? modelDefault}
        options={[
          { value: modelDefault, label: text('composer.thinksAsSet') },
          ...efforts.map((value) => ({ value, label: effortName(value) })),
        ]}
        onChange={(chosen) => {
          const value = chosen === modelDefault ? null : chosen;
          reportError(commands.setOverride(session.id, { name: 'effort', value }));
        }}
      />
    </div>
  );
}
