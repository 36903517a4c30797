/** The popup of a select. A long list has a filter, and so is a combobox. */
import { Combobox } from '@base-ui/react/combobox';
import { useId, useState } from 'react';
import { useText } from '../../i18n';
import { VisuallyHidden } from '../a11y/VisuallyHidden';
import { Icon } from '../controls/Icon';
import { Field } from '../fields/Field';
import type { SelectOption, SelectProps } from '../fields/Select';
import { SelectTriggerContent } from '../fields/SelectTriggerContent';
import { useOverlay } from '../layers/overlayStack';
import type { PopupProps } from '../layers/popupLibrary';

const filterFrom = 8;

type OptionGroup<Value extends string> = { group: string; items: SelectOption<Value>[] };

function groupOptions<Value extends string>(options: readonly SelectOption<Value>[]) {
  const groups: OptionGroup<Value>[] = [];
  for (const option of options) {
    const group = option.group ?? '';
    const known = groups.find((other) => other.group === group);
    if (known) known.items.push(option);
    else groups.push({ group, items: [option] });
  }
  return groups;
}

/** The options of the first group, each with the name of its own group as its detail. */
function pinnedGroup<Value extends string>(
  options: readonly SelectOption<Value>[],
  { group, values }: { group: string; values: readonly Value[] },
): OptionGroup<Value>[] {
  const items = values.flatMap((value) => {
    const option = options.find((other) => other.value === value);
    return option ? [{ ...option, detail: option.detail ?? option.group ?? '' }] : [];
  });
  return items.length === 0 ? [] : [{ group, items }];
}

export function SelectPopup<Value extends string>({
  options,
  value,
  onChange,
  onOpen,
  placeholder = '',
  disabled = false,
  quiet = false,
  first,
  icon,
  shown,
  defaultOpen,
  ...words
}: PopupProps<SelectProps<Value>>) {
  const text = useText();
  const layer = useOverlay();
  const { contains } = Combobox.useFilter({ sensitivity: 'base' });
  const [query, setQuery] = useState('');
  const chosen = options.find((option) => option.value === value) ?? null;
  const long = options.length > filterFrom;
  const groups = [
    ...(first && long && query === '' ? pinnedGroup(options, first) : []),
    ...groupOptions(options),
  ];
  const matches = ({ label, group = '', also = '' }: SelectOption<Value>, typed: string) =>
    typed.split(/\s+/).every((word) => contains(`${label} ${also} ${group}`, word));
  const filter = (
    <div className="Select-filter">
      <Combobox.Input
        className="Input"
        aria-label={text('kit.filter')}
        placeholder={text('kit.filter')}
      />
    </div>
  );

  return (
    <Field {...words}>
      {(ties) => (
        <Combobox.Root
          items={groups}
          value={chosen}
          onValueChange={(option) => {
            if (option) onChange(option.value);
          }}
          onOpenChange={(open) => {
            if (open) onOpen?.();
          }}
          inputValue={query}
          onInputValueChange={setQuery}
          filter={matches}
          itemToStringLabel={(option: SelectOption<Value>) => option.label}
          itemToStringValue={(option: SelectOption<Value>) => option.value}
          isItemEqualToValue={(a, b) => a.value === b.value}
          disabled={disabled}
          defaultOpen={defaultOpen}
          autoHighlight
        >
          <Combobox.Trigger {...ties} className="Select" data-quiet={quiet || undefined}>
            <SelectTriggerContent icon={icon} shown={shown ?? chosen?.label ?? placeholder} />
          </Combobox.Trigger>
          <Combobox.Portal container={layer}>
            <Combobox.Positioner
              className="Select-layer"
              sideOffset={4}
              align="start"
              positionMethod="fixed"
            >
              <Combobox.Popup className="Select-popup" aria-label={words.label}>
                {long ? filter : <VisuallyHidden>{filter}</VisuallyHidden>}
                <Combobox.Empty>
                  <div className="Select-nothing">{text('kit.nothingFound', { query })}</div>
                </Combobox.Empty>
                <Combobox.List className="Select-list">
                  {({ group, items }: (typeof groups)[number]) => (
                    <Combobox.Group key={group} items={items}>
                      {group !== '' && (
                        <Combobox.GroupLabel className="Select-group">{group}</Combobox.GroupLabel>
                      )}
                      <Combobox.Collection>
                        {(option: SelectOption<Value>) => (
                          <SelectOptionRow key={option.value} option={option} />
                        )}
                      </Combobox.Collection>
                    </Combobox.Group>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  );
}

function SelectOptionRow<Value extends string>({ option }: { option: SelectOption<Value> }) {
  const id = useId();
  const { label, detail, note, disabled = false } = option;
  const about = [detail !== undefined && `${id}-detail`, note !== undefined && `${id}-note`];
  const described = about.filter((part) => part !== false).join(' ');
  return (
    <Combobox.Item
      value={option}
      disabled={disabled}
      className="Select-option"
      aria-labelledby={`${id}-label`}
      aria-describedby={described === '' ? undefined : described}
    >
      <Combobox.ItemIndicator>
        <Icon name="check" />
      </Combobox.ItemIndicator>
      <span id={`${id}-label`} className="Select-label">
        {label}
      </span>
      {detail !== undefined && (
        <span id={`${id}-detail`} className="Select-detail">
          {detail}
        </span>
      )}
      {note !== undefined && (
        <span id={`${id}-note`} className="Select-note">
          {note}
        </span>
      )}
    </Combobox.Item>
  );
}
