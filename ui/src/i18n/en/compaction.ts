export const compaction = {
  before:
    '{before} tokens now, at most {after} afterwards; of these {summary} for the summary and {facts} for facts beside it',
  writtenBy: 'The summary is written by {model}.',
  covers: {
    one: '{count} message is covered',
    other: '{count} messages are covered',
  },
  keeps: {
    one: '{count} message stays word for word',
    other: '{count} messages stay word for word',
  },
  pinned: 'pinned',
  leftOut: 'left out',
  wordless: 'no words',
  title: 'Compactions',
  none: 'Nothing has been compacted in this thread.',
  latest: 'latest',
  stale: 'stale',
  staleHint:
    'Something it covers has been deleted, left out, taken back in or unpinned since. Renew it to have it written from what is there now.',
  compare: 'Compare',
  undo: 'Undo',
  redo: 'Redo',
  renew: 'Renew',
  undone: {
    one: 'Undone: {count} message, {before} → {after} tokens',
    other: 'Undone: {count} messages, {before} → {after} tokens',
  },
  pins: {
    one: '{count} pinned message takes {tokens} of at most {limit} tokens.',
    other: '{count} pinned messages take {tokens} of at most {limit} tokens together.',
  },
  factsCarried: {
    one: '{count} fact carried beside the summary',
    other: '{count} facts carried beside the summary',
  },
  factsSaid: {
    one: '{count} fact said word for word in the summary',
    other: '{count} facts said word for word in the summary',
  },
  factsLeftOut: {
    one: '{count} fact left out for lack of room',
    other: '{count} facts left out for lack of room',
  },
  factsReplaced: {
    one: '{count} fact left out because a newer value holds',
    other: '{count} facts left out because a newer value holds',
  },
  message: 'Message {number}',
  log: 'Automatic log',
  logOfShown: 'Automatic log of the thread that is shown',
  logEmpty: 'Nothing has happened by itself in this thread.',
  compacted: 'Compacted: {before} → {after} tokens.',
  compactedLocally: 'Compacted without a model: {before} → {after} tokens.',
  notCompacted: 'A compaction was tried. {reason}',
  stopped: 'Compaction failed twice in a row and is paused.',
  stuck: 'Compacting would leave at least {floor} tokens, yet it is due above {limit}.',
  archived: 'The thread before was archived at {percent}% of the window, and this one began.',
  reminded: 'The model was reminded that the context is filling up.',
  remindedOf: {
    one: 'The model was reminded: after {count} more reply a new thread begins by itself.',
    other: 'The model was reminded: after {count} more replies a new thread begins by itself.',
  },
  remindedLast:
    'The model was reminded for the last time: after its reply a new thread begins by itself.',
  clearedByPerson: 'You cleared the context; this thread began.',
  clearedByModel: 'The model cleared its context; this thread began.',
  clearedByCountdown: 'At the end of the countdown the context was cleared; this thread began.',
  outputWithheld:
    'The output of {tool}, {chars} characters, was taken out of the context after a refusal. All of it is kept.',
  outputCut:
    'Of the {chars} characters that {tool} returned, {kept} entered the context. All of it is kept.',
  limitLearned: 'The server showed how large its window is: {window} tokens.',
  silentOverflow: 'The server read only about {read} of {sent} tokens, without saying so.',
  noRoom: 'The conversation filled the window with {read} tokens: no room was left for an answer.',
  factsRenewed: {
    one: 'The facts beside {count} summary were found anew in the original messages: an earlier version could get them wrong.',
    other:
      'The facts beside {count} summaries were found anew in the original messages: an earlier version could get them wrong.',
  },
  recalled: {
    one: '{count} covered passage was added for a model without tools: {tokens} tokens.',
    other: '{count} covered passages were added for a model without tools: {tokens} tokens.',
  },
} as const;
