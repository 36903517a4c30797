/**
 * Costs as text. An unknown cost is never shown as 0, and a cost below the shown digits as less
 * than the last of them. If costs are hidden, there is no text.
 */
import { useFormats, useText, type Formats, type Translate } from '../../i18n';
import type { Cost, CostEstimate, Money, PriceTable } from '../../ipc/bindings';
import { useSettings } from '../queries/queries';

/** Units of an amount in one of its currency. */
const unitsOfOne = 1e12;
/** The factor from a price per token to one per million tokens, in units of the currency. */
const perMillion = 1e6 / unitsOfOne;
/** The smallest amount that is shown with its digits. */
const smallest = 0.0001;

/** True if costs are shown. False until the settings are read. */
export const useShowsCosts = (): boolean => useSettings().data?.settings.showCosts ?? false;

/** An amount with its digits, or as less than the last of them. */
export function moneyText(text: Translate, formats: Formats, money: Money): string {
  const value = money.amount / unitsOfOne;
  if (money.amount === 0) return text('usage.free');
  if (value >= smallest) return formats.money(value, money.currency);
  return text('usage.lessThan', { money: formats.money(smallest, money.currency) });
}

function costText(text: Translate, formats: Formats, cost: Cost): string {
  switch (cost.type) {
    case 'known':
      return moneyText(text, formats, cost.money);
    case 'atLeast': {
      const value = cost.money.amount / unitsOfOne;
      if (value < smallest) return text('usage.unknown');
      return text('usage.atLeast', { money: formats.money(value, cost.money.currency) });
    }
    case 'unknown':
      return text('usage.unknown');
    case 'notBilled':
      return text('usage.notBilled');
  }
}

/** The cost of a call in words; null where costs are not shown. */
export function useCostText(): (cost: Cost) => string | null {
  const text = useText();
  const formats = useFormats();
  const shown = useShowsCosts();
  return (cost) => (shown ? costText(text, formats, cost) : null);
}

function estimateText(text: Translate, formats: Formats, estimate: CostEstimate): string {
  switch (estimate.type) {
    case 'between': {
      const { least, most } = estimate;
      const [low, high] = [moneyText(text, formats, least), moneyText(text, formats, most)];
      if (low === high) return high;
      if (least.amount / unitsOfOne < smallest) return text('usage.upTo', { money: high });
      return text('usage.between', { least: low, most: high });
    }
    case 'atLeast':
      return costText(text, formats, { type: 'atLeast', money: estimate.least });
    case 'unknown':
    case 'notBilled':
      return costText(text, formats, estimate);
  }
}

/** Formats the estimated cost of an action; null if costs are hidden. */
export function useEstimateText(): (estimate: CostEstimate) => string | null {
  const text = useText();
  const formats = useFormats();
  const shown = useShowsCosts();
  return (estimate) => (shown ? estimateText(text, formats, estimate) : null);
}

/** The two main prices of a model in words; null where they are not known, or not shown. */
export function usePriceText(): (prices: PriceTable | null) => string | null {
  const text = useText();
  const formats = useFormats();
  const shown = useShowsCosts();
  return (prices) => {
    const { input = null, output = null } = prices?.standard.base ?? {};
    if (!shown || prices === null || input === null || output === null) return null;
    if (input === 0 && output === 0) return text('usage.free');
    return text('usage.perMillion', {
      input: formats.price(input * perMillion, prices.currency),
      output: formats.price(output * perMillion, prices.currency),
    });
  };
}

/** One price per million tokens; null: it is not known. */
export const priceOf = (formats: Formats, price: number | null, currency: string) =>
  price === null ? null : formats.price(price * perMillion, currency);
