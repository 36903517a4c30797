export const upperBound = {
  user: 'Compacts at your upper bound of {tokens} tokens: {percent}% would be {share}.',
  priceStep:
    'Compacts at {tokens}: above that, {model} charges more for every token. {percent}% would be {share}.',
  ofModel: 'Compacts at {tokens}, the upper bound for {model}: {percent}% would be {share}.',
  quality:
    'Compacts at {tokens}, the upper bound for windows above 256k: answers get worse the longer the context is. {percent}% would be {share}.',
  alone: 'Compacts at your upper bound of {tokens} tokens.',
  setting: 'Upper bound of the threshold (tokens)',
  settingHint:
    'Skein never waits for more than this many tokens, whatever the threshold says. If left empty: none for windows up to 256k; for larger ones 150,000, or less where the model’s price rises. To have no bound, enter the size of the window.',
  settingHintCostless:
    'Skein never waits for more than this many tokens, whatever the threshold says. If left empty: none for windows up to 256k; for larger ones 150,000, or less for some models. To have no bound, enter the size of the window.',
  followsNone: 'If left empty: none',
} as const;
