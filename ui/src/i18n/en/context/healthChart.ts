export const healthChart = {
  title: 'Health of this thread',
  chart: {
    one: '{count} reply: the prompt had {last} tokens.',
    other:
      '{count} replies: the prompt went from {first} to {last} tokens, {highest} at its highest.',
  },
  chartNone: 'Nothing has been reported in this thread yet.',
  forgotten:
    'The last report no longer describes this context: something in it has changed since, or another model was chosen.',
  table: 'Reported tokens, reply by reply',
  latest: { one: 'The latest reply.', other: 'The latest {count} replies, newest first.' },
  when: 'When',
  prompt: 'Prompt',
  share: 'Of the limit',
  cached: 'From the cache',
  level: 'Health',
  unreported: 'not reported',
} as const;
