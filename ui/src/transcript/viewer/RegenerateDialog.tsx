/**
 * Regenerates a reply with another model, for this reply only. If the conversation does not fit its context
 * window, the dialog shows the consequence.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { MessageId, ModelRef, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { Select } from '../../kit/fields/Select';
import { Stack } from '../../kit/display/Stack';
import { useToast } from '../../kit/notifications/Toast';
import { useSessionActions } from '../../state/turn/useSessionActions';
import { useReadingCostText } from '../../state/text/useReadingCostText';
import { useReportError } from '../../state/text/useReportError';
import { modelKey } from '../../state/models/modelRef';
import { useModelOptions } from '../../state/models/useModelOptions';
import { optional, queryKeys } from '../../state/queries/queries';

type RegenerateDialogProps = {
  answer: MessageId;
  /** The model that wrote the reply; null: unknown. */
  by: ModelRef | null;
  sessionId: SessionId;
  onClose: () => void;
};

export function RegenerateDialog({ answer, by, sessionId, onClose }: RegenerateDialogProps) {
  const text = useText();
  const reportError = useReportError(useToast());
  const actions = useSessionActions(sessionId);
  const { options, first, modelOf } = useModelOptions(by);
  const [chosen, setChosen] = useState<string | null>(null);
  const value = chosen ?? first.values[0] ?? null;
  const model = value === null ? undefined : modelOf(value);
  return (
    <Dialog
      title={text('transcript.regenerateWith')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button
            kind="primary"
            icon="refresh"
            disabled={!model}
            onClick={() => {
              onClose();
              if (model) reportError(actions.regenerate(answer, model));
            }}
          >
            {text('transcript.regenerate')}
          </Button>
        </>
      }
    >
      <Stack>
        <Select
          label={text('composer.model')}
          hint={text('transcript.regenerateWithHint')}
          options={options}
          first={first}
          value={value}
          onChange={setChosen}
        />
        {model && <ModelConsequence {...{ sessionId, model }} />}
      </Stack>
    </Dialog>
  );
}

/** US-5: the consequence of this model for the conversation, and what reading it costs. */
function ModelConsequence({ sessionId, model: ref }: { sessionId: SessionId; model: ModelRef }) {
  const text = useText();
  const formats = useFormats();
  const { commands } = useBackend();
  const { data: preview } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'preview', modelKey(ref)],
    queryFn: () => commands.previewModel(sessionId, ref),
    gcTime: 0,
    ...optional,
  });
  const readingText = useReadingCostText();
  if (!preview) return null;
  const reading = readingText(ref, preview);
  if (preview.consequence === 'fits') return reading && <p role="status">{reading}</p>;
  const { model } = ref;
  const { used, limit, consequence } = preview;
  return (
    <p role="status">
      {limit !== null &&
        text('providers.switchNumbers', {
          used: formats.exact(used.tokens),
          model,
          limit: formats.exact(limit),
        })}{' '}
      {text(`transcript.with_${consequence}`, { model })} {reading}
    </p>
  );
}
