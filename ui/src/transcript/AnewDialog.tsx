/**
 * Another answer by a model that is chosen for it alone. Where that one would not hold the conversation as
 * it is, what would happen is said before.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useText } from '../i18n';
import { useBackend } from '../ipc';
import type { MessageId, ModelRef, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Dialog } from '../kit/Dialog';
import { Select } from '../kit/Select';
import { Stack } from '../kit/Stack';
import { useToast } from '../kit/Toast';
import { useActions } from '../state/actions';
import { useAttempting } from '../state/attempt';
import { keyOf } from '../state/model';
import { useModelOptions } from '../state/modelOptions';
import { beside, keys } from '../state/reading';

type AnewDialogProps = {
  answer: MessageId;
  /** Who wrote it; null: nobody knows. */
  by: ModelRef | null;
  sessionId: SessionId;
  onClose: () => void;
};

export function AnewDialog({ answer, by, sessionId, onClose }: AnewDialogProps) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const actions = useActions(sessionId);
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
              if (model) attempt(actions.regenerate(answer, model));
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
        {model && <Consequence {...{ sessionId, model }} />}
      </Stack>
    </Dialog>
  );
}

/** US-5: what this model would make of the conversation. */
function Consequence({ sessionId, model: ref }: { sessionId: SessionId; model: ModelRef }) {
  const text = useText();
  const formats = useFormats();
  const { commands } = useBackend();
  const { data: preview } = useQuery({
    queryKey: [...keys.context(sessionId), 'preview', keyOf(ref)],
    queryFn: () => commands.previewModel(sessionId, ref),
    gcTime: 0,
    ...beside,
  });
  if (!preview || preview.consequence === 'fits') return null;
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
      {text(`transcript.with_${consequence}`, { model })}
    </p>
  );
}
