export const healthChart = {
  title: 'Health of this thread',
  chart: {
    one: '{count} reply: the request had {last} tokens.',
    other:
      '{count} replies: the requests went from {first} to {last} tokens, {highest} at its highest.',
  },
  chartNone: 'The provider has not counted any reply of this thread yet.',
  forgotten:
    'The provider’s last count no longer describes this context: something in it has changed since, or another model was chosen.',
  table: 'Tokens as the provider counts them, reply by reply',
  latest: { one: 'The latest reply.', other: 'The latest {count} replies, newest first.' },
  when: 'When',
  prompt: 'Request',
  share: 'Of the limit',
  cached: 'From the cache',
  level: 'Health',
  unreported: 'not counted',
} as const;
