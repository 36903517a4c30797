export const health = {
  why_healthy: 'the last request leaves enough room',
  why_caution: 'this model works best below {optimal} tokens, and the last request had more',
  why_critical: 'the window is nearly full: the last request had more than {critical} tokens',
  why_unreported: 'the provider has not counted this context yet',
  why_compaction: 'above the compaction threshold: the next message compacts first',
  why_archiving: 'above the archiving threshold: the next message begins a new thread',
  lastRequest: 'last request: {tokens} tokens, reported by the provider',
  limit: 'limit {tokens}',
  optimal: 'caution above {tokens}',
  critical: 'critical above {tokens}',
} as const;
