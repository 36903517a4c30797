/**
 * A search field. Escape clears it first.
 */
import type { ComponentProps } from 'react';
import { useText } from '../../i18n';
import { Icon } from '../controls/Icon';
import { IconButton } from '../controls/IconButton';
import { isComposing } from '../keyboard/shortcuts';
import './Field.css';
import './SearchBox.css';

type SearchBoxProps = Omit<
  ComponentProps<'input'>,
  'className' | 'type' | 'value' | 'onChange' | 'aria-label'
> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
};

export function SearchBox({ label, value, onChange, onKeyDown, ...rest }: SearchBoxProps) {
  const text = useText();
  return (
    <div className="SearchBox">
      <Icon name="search" />
      <input
        placeholder={label}
        spellCheck={false}
        autoComplete="off"
        {...rest}
        className="Input"
        type="search"
        aria-label={label}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '' && !isComposing(event.nativeEvent)) {
            event.preventDefault();
            event.stopPropagation();
            onChange('');
          } else {
            onKeyDown?.(event);
          }
        }}
      />
      {value !== '' && (
        <IconButton
          label={text('kit.clear')}
          icon="close"
          onClick={() => {
            onChange('');
          }}
        />
      )}
    </div>
  );
}
