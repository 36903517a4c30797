export const health = {
  lastRequest: 'last request: {tokens} tokens, reported by the provider',
  noReport: 'nothing reported yet',
  limit: 'limit {tokens}',
  optimal: 'caution above {tokens}',
  critical: 'critical above {tokens}',
} as const;
