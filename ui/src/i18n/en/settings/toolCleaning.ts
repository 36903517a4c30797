export const toolCleaning = {
  automatic: 'Automatic',
  automaticNow: 'Automatic: {choice}',
  everySend: 'At every send',
  everySendInline: 'at every send',
  everySendHint:
    'Sends the fewest tokens. A provider’s cache has to read the last rounds anew each time.',
  inBatches: 'In batches',
  inBatchesInline: 'in batches',
  inBatchesHint:
    'As soon as some 16,000 tokens of old tool calls have come together. In between, the provider’s cache is used.',
  atCompaction: 'Only at a compaction',
  atCompactionInline: 'only at a compaction',
  atCompactionHint: 'Uses the provider’s cache the most, but fills the window sooner.',
  never: 'Never',
  neverInline: 'never',
  neverHint: 'Tool calls stay until a summary covers them.',
  cheapReads:
    'Because {model} charges {percent}% of the usual price for what its provider’s cache holds. Other models may differ.',
  local:
    'Because {model} is not billed by the token, and its server need not read again what it remembers. Other models may differ.',
  smallDiscount:
    'Because {model} charges as much for what its provider’s cache holds, or not much less. Other models may differ.',
  tooShort:
    'Because conversations with {model} are compacted before they are long enough for its provider’s cache. Other models may differ.',
  unknown:
    'Because nobody knows what {model} charges for what a cache holds. Other models may differ.',
  ofModel: 'With {model}. Other models may differ.',
} as const;
