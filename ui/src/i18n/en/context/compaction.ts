export const compaction = {
  before:
    '{before} tokens now, at most {after} afterwards; of these {summary} for the summary and {facts} for values and decisions kept word for word beside it',
  beforeEncrypted:
    '{before} tokens now, at most {after} afterwards: an encrypted part, and with most providers your messages word for word beside it; only the answer says how large they are',
  writtenBy: 'The summary is written by {model}.',
  writtenByProvider:
    'The summary is written by the provider itself, with its own compaction and {model}. Skein keeps its text.',
  writtenEncrypted:
    'The provider of {model} writes an encrypted summary that only it can read. Skein keeps its own readable summary beside it.',
  encryptedBeside:
    'Beside this summary stands an encrypted one, which only the provider of {model} can read. While this summary is in use and up to date, that model is sent the encrypted one, every other model this text. Editing it drops the encrypted one.',
  byProvider: '{model}, by the provider’s own compaction',
  covers: {
    one: '{count} message becomes part of the summary',
    other: '{count} messages become part of the summary',
  },
  keeps: {
    one: '{count} message stays word for word',
    other: '{count} messages stay word for word',
  },
  upToHint:
    'One summary takes the place of everything up to the end of this round: a message of yours with everything that answers it. What comes after stays as it is.',
  fromHint:
    'A summary takes the place of this round, a message of yours with everything that answers it, and of all complete ones after it. What comes before stays word for word.',
  pinned: 'pinned',
  leftOut: 'left out',
  wordless: 'no words',
  title: 'Compactions',
  none: 'Nothing has been compacted in this thread.',
  applied: 'in use',
  stale: 'out of date',
  staleHint:
    'A message it summarises was deleted, left out, taken back in or unpinned. Renew it to have it written from what is there now.',
  compare: 'Compare',
  undo: 'Undo',
  renew: 'Renew',
  undone: {
    one: 'Undone: {count} message, {before} → {after} tokens',
    other: 'Undone: {count} messages, {before} → {after} tokens',
  },
  again: 'Compacts again with your next message.',
  undoneAgain: 'The compaction was undone. Compacts again with your next message.',
  switchOff: 'Switch off auto-compaction (this session)',
  pins: {
    one: '{count} pinned message takes {tokens} of at most {limit} tokens.',
    other: '{count} pinned messages take {tokens} of at most {limit} tokens together.',
  },
  factsCarried: {
    one: '{count} fact kept beside the summary',
    other: '{count} facts kept beside the summary',
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
  log: 'What happened automatically',
  logOfShown: 'What happened automatically in the thread that is shown',
  logEmpty: 'Nothing has happened by itself in this thread.',
  compacted: 'Compacted: {before} → {after} tokens.',
  compactedLocally: 'Compacted without a model: {before} → {after} tokens.',
  notCompacted: 'A compaction was tried. {reason}',
  providerRefused:
    'The provider refused its own compaction with {model}. Skein had the summary written as usual, and does not ask again before its next start.',
  providerTooLong:
    'The messages did not fit one request to the provider’s own compaction with {model}. Skein had the summary written as usual.',
  providerGainsTooLittle:
    'The provider’s own compaction with {model} keeps your messages word for word, and would have gained too little. It was not asked for; Skein had the summary written as usual.',
  providerFailed:
    'The provider’s own compaction with {model} brought no summary. Skein had it written as usual.',
  providerOverBudget:
    'A budget was in the way of the provider’s own compaction with {model}. Skein had the summary written as usual.',
  encryptedRejected:
    'The provider of {model} rejected its encrypted summaries. Skein deleted them and sends its own readable ones.',
  notNamed: 'No title was asked for: a budget is used up.',
  stopped: 'Compaction failed twice in a row and is paused.',
  stuck: 'Even after compacting, at least {floor} tokens would remain; the limit is {limit}.',
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
    'The output of {tool} ({chars} characters) was too long and was taken out of the context. All of it is kept.',
  outputCut:
    'Of the {chars} characters that {tool} returned, {kept} entered the context. All of it is kept.',
  limitLearned: 'The server showed how large its window is: {window} tokens.',
  silentOverflow: 'The server read only about {read} of {sent} tokens and did not say so.',
  noRoom: 'The messages filled the window with {read} tokens: no room was left for an answer.',
  factsRenewed: {
    one: 'The facts beside {count} summary were found anew in the original messages: an earlier version could get them wrong.',
    other:
      'The facts beside {count} summaries were found anew in the original messages: an earlier version could get them wrong.',
  },
  recalled: {
    one: '{count} earlier passage was sent along because it fits the message: {tokens} tokens.',
    other:
      '{count} earlier passages were sent along because they fit the message: {tokens} tokens.',
  },
} as const;
