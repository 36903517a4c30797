export const app = {
  main: 'Session',
  toggleSidebar: 'Show or hide the sidebar',
  newSession: 'New session',
  openSettings: 'Settings',
  welcome: 'Conversations that never have to end',
  welcomeText:
    'A model can read only so much at once. Skein shows how full that is, and summarises older messages before it is too much. Nothing you wrote is lost.',
  talkToDemo:
    'Write below to talk to the built-in demo model. It works offline and knows only what you tell it. “Write a long text about …” fills it in minutes, to see what happens then.',
  willAnswer: 'Answers come from {model}.',
  useModel: '{name} is set up: use {model}',
  withoutKey: '“{name}” has no API key yet.',
  bringAlong: 'Import conversations from another program…',
  addProvider: 'Add a provider',
  loading: 'Opening…',
  answered: 'The reply has ended.',
  cutOff: 'The reply was cut off.',
  failed: 'The reply failed.',
  asks: 'A tool is waiting for your answer.',
  closingReplies: {
    one: '{count} reply is still coming',
    other: '{count} replies are still coming',
  },
  closingCompactions: {
    one: '{count} session is still being compacted',
    other: '{count} sessions are still being compacted',
  },
  closingAside: 'A side question is still being answered',
  closingAsideWords: 'Side questions and their answers are lost when Skein quits.',
  closingImport: 'A file is still being imported',
  closingExport: 'A file is still being written',
  closingUnstored: {
    one: '{count} reply is not stored',
    other: '{count} replies are not stored',
  },
  closingUnstoredWords:
    'What is not stored is lost if you quit now. Save it as a file, or stay: it is stored as soon as the disk can be written.',
  closingDone: 'Everything has ended',
  closingWords:
    'Skein can finish in the background and then quit by itself. If you quit now, what has arrived is kept.',
  closingImportWords: 'If an import is cut off, nothing from its file is imported.',
  closingExportWords: 'If an export is cut off, no file is written.',
  closingNothing: 'Nothing is lost if you quit now.',
  closingUnsaved: 'An edit is not saved',
  closingUnsavedWords: 'What you wrote in it is lost if you quit now.',
  closingUnsavedToo: 'An edit is not saved: it is lost when Skein quits.',
  closingUnsavedIn: 'It is in the session “{title}”.',
  closingStay: 'Stay',
  closingFinish: 'Finish in the background',
  closingQuit: 'Quit now',
  linkModel:
    'The link asked for {model}, which is not set up here. The default model was chosen instead.',
  linkModels:
    'The link asked for {model}, which several providers offer here. The default model is chosen.',
  linkSession: 'The link leads to a session that does not exist here.',
  linkWaits: 'A link from another program wants to open something here.',
  linkFollow: 'Follow it',
  linkUnreadable: 'This link could not be read. Nothing was done.',
  installTitle: 'Add the MCP server “{name}”?',
  installAsk:
    'A link suggests this server. Add it only if you trust where the link came from. You are asked once more before its command runs for the first time.',
  installAdd: 'Add server',
} as const;
