export const start = {
  newer: 'These conversations come from a newer Skein',
  damaged: 'The database is damaged',
  locked: 'Another program is using the database',
  unwritable: 'The data folder cannot be written to',
  failing: 'The disk may be failing',
  failed: 'Skein could not open its data',
  kept: 'Nothing was changed, and nothing will be deleted: whatever you choose, the database as it is now is kept as a copy.',
  tryAgain: 'Try again',
  show: 'Show the folder',
  version: 'This is Skein {version}.',
  copies: 'Begin with a copy',
  copiesHint: 'A copy does not hold what was said after it was made.',
  begin: 'Begin with this copy',
  beginOf: 'Begin with the copy of {when}',
  anew: 'Begin anew',
  anewHint:
    'With no conversations. The database as it is now can be restored later, in Settings → Data.',
} as const;
