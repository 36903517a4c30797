export const quarantine = {
  notice: {
    one: 'This database comes from elsewhere or was restored. {count} thing that it would allow waits for your answer.',
    other:
      'This database comes from elsewhere or was restored. {count} things that it would allow wait for your answer.',
  },
  look: 'Show what it would allow…',
  title: 'What this database would allow',
  hint: 'Until you allow it, none of this holds. If you made this database yourself, allow everything at once. If somebody gave it to you, allow only what you would allow them.',
  grants: 'Runs without a question',
  folders: 'Folders that the tools may reach',
  reminders: 'Reminders that the model gets in every session',
  startsNothing:
    'No server in the settings of this computer has this command, so this starts nothing. A server that has it asks before it is started.',
  allow: 'Allow',
  allowOf: 'Allow {what}',
  decline: 'Do not allow',
  declineOf: 'Do not allow {what}',
  declined: '{what} is not allowed.',
  allowAll: 'Allow everything: it is my own database',
  later: 'Decide later',
} as const;
