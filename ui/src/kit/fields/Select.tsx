/**
 * A combobox whose list can be filtered by typing. The filter is visible for long lists only; in short ones
 * it takes the keys. A long list may begin with a group of preferred values until the user types.
 */
import { Field, type FieldLabels } from './Field';
import type { IconName } from '../controls/Icon';
import { PendingTrigger } from '../layers/PendingTrigger';
import { usePopups } from '../layers/popupLibrary';
import { SelectTriggerContent } from './SelectTriggerContent';
import './Select.css';

export type SelectOption<Value extends string> = {
  value: Value;
  label: string;
  /** Secondary text at the end of the row. It describes the option; the label alone is its name. */
  detail?: string;
  /** Secondary text below the label. It describes the option too. */
  note?: string;
  /** Options of one group stand below its name; the filter matches the name too. */
  group?: string;
  /** More text that the filter matches. */
  also?: string;
  disabled?: boolean;
};

export type SelectProps<Value extends string> = FieldLabels & {
  options: readonly SelectOption<Value>[];
  /** null: nothing is selected yet. */
  value: Value | null;
  onChange: (value: Value) => void;
  /** Called before the list opens. */
  onOpen?: () => void;
  placeholder?: string;
  disabled?: boolean;
  /** Without a border, for a choice that is rarely changed. */
  quiet?: boolean;
  /** The group at the beginning of a long list. Its options are listed in their own groups as well. */
  first?: { group: string; values: readonly Value[] };
  /** Replaces the selected label in the smallest app window. */
  icon?: IconName;
  /** Replaces the selected label while the list is closed. */
  shown?: string | undefined;
};

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { popups, pressed, press } = usePopups();
  if (popups) return <popups.Select {...props} defaultOpen={pressed} />;
  const { options, value, placeholder = '', disabled, quiet = false, icon, shown } = props;
  const chosen = options.find((option) => option.value === value);
  return (
    <Field {...props}>
      {(ties) => (
        <PendingTrigger
          trigger={
            <button
              {...ties}
              type="button"
              className="Select"
              data-quiet={quiet || undefined}
              disabled={disabled}
            >
              <SelectTriggerContent icon={icon} shown={shown ?? chosen?.label ?? placeholder} />
            </button>
          }
          role={{ role: 'combobox', 'aria-haspopup': 'listbox' }}
          onPress={() => {
            props.onOpen?.();
            press();
          }}
        />
      )}
    </Field>
  );
}
