/**
 * US-5: another model does not hold the conversation as it is; what would happen is said before. It stands
 * beside the conversation and not in the box: a model is chosen in the palette, too, where there is none.
 */
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ModelRef, SessionView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useModelName } from '../../state/models/useModelName';
import {
  usePendingModelSwitch,
  setPendingModelSwitch,
  type PendingModelSwitch,
} from './modelSwitchStore';

const onClose = () => {
  setPendingModelSwitch(null);
};

export function ModelSwitchDialog({ view }: { view: SessionView }) {
  const weighed = usePendingModelSwitch(view.session.id);
  return weighed && <PendingSwitchDialog before={view.model} weighed={weighed} />;
}

function PendingSwitchDialog({
  before,
  weighed,
}: {
  before: ModelRef;
  weighed: PendingModelSwitch;
}) {
  const text = useText();
  const nameOf = useModelName();
  const formats = useFormats();
  const attempt = useReportError(useToast());
  const { commands } = useBackend();
  const { session, model, preview, consequence } = weighed;
  const onSwitch = () => {
    onClose();
    attempt(commands.setModel(session, model));
  };
  return (
    <Dialog
      title={text('providers.switchTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>
            {text('providers.switchKeep', { model: nameOf(before) })}
          </Button>
          <Button kind="primary" onClick={onSwitch}>
            {text('providers.switchGo', { model: nameOf(model) })}
          </Button>
        </>
      }
    >
      {preview.limit !== null && (
        <p>
          {text('providers.switchNumbers', {
            used: formats.exact(preview.used.tokens),
            model: nameOf(model),
            limit: formats.exact(preview.limit),
          })}
        </p>
      )}
      <p>{text(`composer.${consequence}`, { model: nameOf(model) })}</p>
    </Dialog>
  );
}
