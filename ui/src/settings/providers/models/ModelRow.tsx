/**
 * The row of a model: its numbers with their sources, the user's own values, and its limits, which a button
 * expands.
 */
import { useEffect, useId, useRef, useState } from 'react';
import { useFormats, useText, type Translate } from '../../../i18n';
import type { ModelView, ProviderView, SourcedValue } from '../../../ipc/bindings';
import { IconButton } from '../../../kit/controls/IconButton';
import { Stack } from '../../../kit/display/Stack';
import { assumedWindow } from '../../../state/models/modelRef';
import { EffortSelect } from './EffortSelect';
import { ExtraBodyField } from './ExtraBodyField';
import { ModelLimitFields } from './ModelLimitFields';
import { PriceFields } from './PriceFields';
import { SummaryWriterSelect } from './SummaryWriterSelect';
import { NumberField } from '../../fields/NumberField';
import { useModelActions } from './useModelActions';

const columns = [
  ['window', 'settings.window'],
  ['maxOutput', 'settings.maxOutput'],
] as const;

const sourceHint = (
  text: Translate,
  number: SourcedValue<number> | null | undefined,
  unknown: string,
) => (number ? text(`context.from_${number.source}`) : unknown);

type ModelRowProps = {
  model: ModelView;
  view: ProviderView;
  /** The settings were opened to set its context window. */
  focused: boolean;
};

export function ModelRow({ model, view, focused }: ModelRowProps) {
  const text = useText();
  const formats = useFormats();
  const row = useRef<HTMLTableRowElement>(null);
  // After the dialog has opened, which takes the focus itself.
  useEffect(() => {
    if (focused) row.current?.querySelector('input')?.focus();
  }, [focused]);
  const limitsId = useId();
  /** A collapsed row stays mounted: it keeps values that are not saved. */
  const [limits, setLimits] = useState<'unmounted' | 'open' | 'collapsed'>('unmounted');
  const isOpen = limits === 'open';
  const { change, forgetWindow, removeOverride } = useModelActions(model.model);
  const { model: ref, spec, name } = model;
  const override = view.config.models?.find((other) => other.id === ref.model);
  const isLimitKnown = (model.limit ?? null) !== null;
  const unknownHints = {
    window: isLimitKnown
      ? text('context.unknown')
      : text('settings.windowAssumed', { tokens: formats.exact(assumedWindow) }),
    maxOutput: text('settings.maxOutputUnknown'),
  };
  return (
    <>
      <tr ref={row}>
        <th scope="row">
          {name}
          {name !== ref.model && <div className="Settings-path Settings-quiet">{ref.model}</div>}
        </th>
        {columns.map(([field, label]) => (
          <td key={field}>
            <NumberField
              label={text(label)}
              labelHidden
              hint={sourceHint(text, spec[field], unknownHints[field])}
              value={spec[field]?.value ?? null}
              min={1}
              optional
              onSave={(value) => {
                change({ type: field, value });
              }}
            />
          </td>
        ))}
        <td>
          {spec.reasoning && (
            <EffortSelect
              value={override?.effort ?? 'default'}
              sentInstead={model.effortInstead ?? null}
              onChange={(value) => {
                change({ type: 'effort', value });
              }}
            />
          )}
        </td>
        <td>
          <IconButton
            label={text('settings.modelLimits', { model: ref.model })}
            icon={isOpen ? 'chevron-down' : 'chevron-right'}
            aria-expanded={isOpen}
            aria-controls={limits === 'unmounted' ? undefined : limitsId}
            onClick={() => {
              setLimits(isOpen ? 'collapsed' : 'open');
            }}
          />
          {spec.window?.source === 'learned' && (
            <IconButton
              label={text('settings.forgetWindow', { model: ref.model })}
              icon="refresh"
              onClick={forgetWindow}
            />
          )}
          {override && (
            <IconButton
              label={text('settings.forgetModel', { model: ref.model })}
              icon="trash"
              onClick={() => {
                removeOverride(override);
              }}
            />
          )}
        </td>
      </tr>
      {limits !== 'unmounted' && (
        <tr id={limitsId} hidden={!isOpen}>
          <td colSpan={columns.length + 3}>
            <Stack>
              <ModelLimitFields
                own={override?.limits ?? {}}
                follows={model.follows}
                isLimitKnown={isLimitKnown}
                onChange={change}
              />
              {model.providerCompaction && (
                <SummaryWriterSelect
                  value={override?.summaryWriter ?? 'skein'}
                  state={model.providerCompaction}
                  provider={model.providerName}
                  onChange={(value) => {
                    change({ type: 'summaryWriter', value });
                  }}
                />
              )}
              <PriceFields
                own={override?.prices ?? {}}
                known={model.prices ?? null}
                onSave={(value) => {
                  change({ type: 'prices', value });
                }}
              />
              <ExtraBodyField
                value={override?.fields ?? {}}
                onSave={(value) => {
                  change({ type: 'fields', value });
                }}
              />
            </Stack>
          </td>
        </tr>
      )}
    </>
  );
}
