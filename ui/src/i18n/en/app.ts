export const app = {
  toggleSidebar: 'Show or hide the sidebar',
  newSession: 'New session',
  openSettings: 'Settings',
  welcome: 'Conversations that never have to end',
  welcomeText:
    'Skein shows what the model sees, and compacts a conversation before it overflows. Nothing you said is lost.',
  talkToDemo:
    'Write below to talk to the built-in demo model: it is offline, and knows only what you tell it. “Write a long text about …” fills its small window in minutes.',
  addProvider: 'Add a provider',
  loading: 'Opening…',
} as const;
