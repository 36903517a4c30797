/**
 * A model: its numbers, where each came from, and the person's own values.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useText, type Text } from '../i18n';
import { useBackend } from '../ipc';
import type { ModelView, PersonalModel, ProviderView, Sourced } from '../ipc/bindings';
import { IconButton } from '../kit/IconButton';
import { useToast } from '../kit/Toast';
import { keys } from '../state/reading';
import { EffortSelect } from './EffortSelect';
import { FieldsField } from './FieldsField';
import { ModelLimits } from './ModelLimits';
import { NumberField } from './NumberField';
import { useAttempt } from './saving';

const columns = [
  ['window', 'settings.window'],
  ['maxOutput', 'settings.maxOutput'],
] as const;

const sourceWords = (text: Text, number: Sourced<number> | null | undefined) =>
  number ? text(`context.from_${number.source}`) : text('context.unknown');

type ModelRowProps = {
  model: ModelView;
  view: ProviderView;
  /** Its context window is what the person came for. */
  asked: boolean;
};

export function ModelRow({ model, view, asked }: ModelRowProps) {
  const text = useText();
  const fields = useRef<HTMLTableRowElement>(null);
  // Once the dialog around it stands, which takes the focus itself.
  useEffect(() => {
    if (asked) fields.current?.querySelector('input')?.focus();
  }, [asked]);
  const limitsId = useId();
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const toast = useToast();
  const attempt = useAttempt();
  const { commands } = useBackend();
  const { model: ref, spec, name } = model;
  const own = view.config.models?.find((other) => other.id === ref.model);
  const refresh = () => client.invalidateQueries({ queryKey: keys.providers });
  const change = (part: Partial<PersonalModel>) => {
    const personal = { ...own, id: ref.model, ...part };
    attempt(commands.saveModel(ref.provider, personal).then(refresh));
  };
  const forget = async (old: PersonalModel) => {
    await commands.removeModel(ref);
    await refresh();
    toast({
      words: text('settings.modelForgotten', { model: ref.model }),
      undo: () => {
        attempt(commands.saveModel(ref.provider, old).then(refresh));
      },
    });
  };
  return (
    <>
      <tr ref={fields}>
        <th scope="row">
          {name}
          {name !== ref.model && <div className="Settings-path Settings-quiet">{ref.model}</div>}
        </th>
        {columns.map(([what, label]) => (
          <td key={what}>
            <NumberField
              label={text(label)}
              labelHidden
              hint={sourceWords(text, spec[what])}
              value={spec[what]?.value ?? null}
              min={1}
              optional
              onSave={(value) => {
                change({ [what]: value });
              }}
            />
          </td>
        ))}
        <td>
          {spec.reasoning && (
            <EffortSelect
              value={own?.effort ?? 'default'}
              instead={model.effortInstead ?? null}
              onChange={(effort) => {
                change({ effort });
              }}
            />
          )}
        </td>
        <td>
          <IconButton
            label={text('settings.modelLimits', { model: ref.model })}
            icon={open ? 'chevron-down' : 'chevron-right'}
            aria-expanded={open}
            aria-controls={open ? limitsId : undefined}
            onClick={() => {
              setOpen(!open);
            }}
          />
          {spec.window?.source === 'learned' && (
            <IconButton
              label={text('settings.forgetWindow', { model: ref.model })}
              icon="refresh"
              onClick={() => {
                attempt(commands.forgetWindow(ref).then(refresh));
              }}
            />
          )}
          {own && (
            <IconButton
              label={text('settings.forgetModel', { model: ref.model })}
              icon="trash"
              onClick={() => {
                attempt(forget(own));
              }}
            />
          )}
        </td>
      </tr>
      {open && (
        <tr id={limitsId}>
          <td colSpan={columns.length + 3}>
            <ModelLimits
              own={own?.limits ?? {}}
              follows={model.follows}
              onChange={(limits) => {
                change({ limits });
              }}
            />
            <FieldsField
              value={own?.fields ?? {}}
              onSave={(fields) => {
                change({ fields });
              }}
            />
          </td>
        </tr>
      )}
    </>
  );
}
