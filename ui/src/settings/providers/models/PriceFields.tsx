/**
 * The user's own prices of a model, as decimals per million tokens. What cannot be used stays as it was
 * typed, with the reason below it, and is not saved. Nothing stands here where costs are not shown.
 */
import { useFormats, useText } from '../../../i18n';
import type { PriceOverride, PriceTable } from '../../../ipc/bindings';
import { Stack } from '../../../kit/display/Stack';
import { priceOf, useShowsCosts } from '../../../state/text/costText';
import { isCurrency, isDecimal, TypedField, withPoint } from '../../fields/TypedField';

const prices = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

type PriceFieldsProps = {
  own: PriceOverride;
  /** The prices that apply now, from the user or the catalogue. */
  known: PriceTable | null;
  onSave: (own: PriceOverride) => void;
};

export function PriceFields({ own, known, onSave }: PriceFieldsProps) {
  const text = useText();
  const formats = useFormats();
  const shown = useShowsCosts();
  if (!shown) return null;
  const follows = (price: number | null) => {
    const words = known && priceOf(formats, price, known.currency);
    return words ? text('usage.followsPrice', { price: words }) : text('settings.followsUnknown');
  };
  const fields = prices.map((name) => ({ name, label: text(`usage.price_${name}`) }));
  const hasOwn = Object.values(own).some((typed) => typed !== null);
  return (
    <section aria-label={text('usage.prices')}>
      <h3>{text('usage.prices')}</h3>
      <p className="Settings-quiet">{text('usage.pricesHint')}</p>
      <Stack>
        {fields.map(({ name, label }) => (
          <TypedField
            key={name}
            label={label}
            hint={hasOwn ? undefined : follows(known?.standard.base?.[name] ?? null)}
            value={own[name] ?? ''}
            normalize={withPoint}
            error={(typed) => (isDecimal(typed) ? null : text('usage.priceWrong'))}
            onSave={(typed) => {
              onSave({ ...own, [name]: typed });
            }}
          />
        ))}
        <TypedField
          label={text('usage.currency')}
          hint={text('usage.currencyHint')}
          value={own.currency ?? ''}
          normalize={(typed) => typed.toUpperCase()}
          error={(typed) => (isCurrency(typed) ? null : text('usage.currencyWrong'))}
          onSave={(currency) => {
            onSave({ ...own, currency });
          }}
        />
      </Stack>
    </section>
  );
}
