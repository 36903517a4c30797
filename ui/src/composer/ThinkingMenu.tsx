/**
 * How hard the model is asked to think in this session. Where it is not known to think, nothing would be
 * said to it, and nothing is offered.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Effort, SessionView } from '../ipc/bindings';
import { Select } from '../kit/Select';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { isModel } from '../state/model';
import { useModels } from '../state/reading';

const efforts = ['default', 'off', 'low', 'medium', 'high'] as const satisfies readonly Effort[];

/** Nothing decided here: what is set for the model holds. */
const asSet = 'asSet';

export function ThinkingMenu({ view }: { view: SessionView }) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const { commands } = useBackend();
  const { data: models = [] } = useModels();
  const { session } = view;
  const known = models.find(({ model }) => isModel(model, view.model));
  if (known?.spec.reasoning !== true) return null;
  const decided = session.overrides.effort ?? null;
  const label = text('settings.effort');
  const words = (effort: Effort) => text(`settings.effort_${effort}`);
  return (
    <div className="Composer-thinking">
      <Select<Effort | typeof asSet>
        label={label}
        labelHidden
        quiet
        icon="thinking"
        shown={decided === null ? label : text('kit.labelled', { label, words: words(decided) })}
        value={decided ?? asSet}
        options={[
          { value: asSet, label: text('composer.thinksAsSet') },
          ...efforts.map((value) => ({ value, label: words(value) })),
        ]}
        onChange={(chosen) => {
          const value = chosen === asSet ? null : chosen;
          attempt(commands.setOverride(session.id, { name: 'effort', value }));
        }}
      />
    </div>
  );
}
