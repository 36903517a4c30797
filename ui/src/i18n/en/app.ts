export const app = {
  toggleSidebar: 'Show or hide the sidebar',
  newSession: 'New session',
  openSettings: 'Settings',
  welcome: 'Conversations that never have to end',
  welcomeText:
    'Skein shows what the model sees, and compacts a conversation before it overflows. Nothing you said is lost.',
  talkToDemo: 'Talk to the demo model',
  addProvider: 'Add a provider',
  loading: 'Opening…',
} as const;
