export const strategy = {
  title: 'When the context fills up (this session)',
  chosen: 'When the context fills up: {name}',
  follow: 'Follow global: {name}',
  summarize: 'Summarise',
  summarizeAt:
    'Above {tokens} tokens the older messages are sent as a summary. Nothing is deleted, and it can be undone.',
  summarizePlain: 'Older messages are sent as a summary. Nothing is deleted, and it can be undone.',
  remind: 'Remind the model',
  remindAt:
    'Above {optimal} tokens, as the provider counts them, the model is asked to note in the reminders what matters. Above {critical} it has five more replies; then a new thread continues from them.',
  remindPlain:
    'The model is asked to note in the reminders what matters, and to begin a new thread from them.',
  archive: 'Archive and start anew',
  archiveAt:
    'Above {tokens} tokens the thread is archived, and a new one begins with your message.',
  archivePlain:
    'The thread is archived and a new one begins with your message. The old one stays readable.',
  unknownWindow:
    'The context window of {model} is unknown, so none of this happens by itself. Set its window first.',
  assumed:
    'The context window of {model}, the model of new sessions, is unknown: nothing happens there by itself, and a compaction by hand assumes {tokens} tokens.',
  ofNewSessions: 'The numbers are those of {model}, the model of new sessions.',
  off: 'Automatic actions are switched off here: none of this happens by itself.',
  later: 'Your choice takes effect with the next message.',
  noTools:
    'This model cannot use tools, so it cannot write reminders when it is asked to. Skein would write them itself.',
  useSummarize: 'Summarise instead',
} as const;
