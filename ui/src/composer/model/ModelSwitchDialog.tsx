/**
 * US-5: asks before a switch to a model whose context window is too small for the conversation. It belongs to
 * the conversation and not to the composer: the palette switches models too.
 */
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ModelRef, SessionView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useModelName } from '../../state/models/useModelName';
import { useReadingCostText } from '../../state/text/useReadingCostText';
import {
  usePendingModelSwitch,
  setPendingModelSwitch,
  type PendingModelSwitch,
} from './modelSwitchStore';

const onClose = () => {
  setPendingModelSwitch(null);
};

export function ModelSwitchDialog({ view }: { view: SessionView }) {
  const pending = usePendingModelSwitch(view.session.id);
  return pending && <PendingSwitchDialog current={view.model} pending={pending} />;
}

function PendingSwitchDialog({
  current,
  pending,
}: {
  current: ModelRef;
  pending: PendingModelSwitch;
}) {
  const text = useText();
  const nameOf = useModelName();
  const formats = useFormats();
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  const { session, model, preview, consequence } = pending;
  const reading = useReadingCostText()(model, preview);
  const onSwitch = () => {
    onClose();
    reportError(commands.setModel(session, model));
  };
  return (
    <Dialog
      title={text('providers.switchTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>
            {text('providers.switchKeep', { model: nameOf(current) })}
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
      {reading !== null && <p>{reading}</p>}
    </Dialog>
  );
}
