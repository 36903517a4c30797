export const desktop = {
  trayIcon: 'Icon in the tray',
  trayIconHint: 'Its menu opens recent sessions, begins a new one and quits Skein.',
  noTray: 'This desktop shows no tray at the moment.',
  closeToTray: 'Keep running in the tray',
  closeToTrayHint: 'Closing the window then does not quit Skein. Without a tray it quits.',
  quickAskKeys: 'Shortcut for Quick ask',
  quickAskKeysHint: 'Works in every program and opens a small window for a question.',
  keysNone: 'None',
  keySpace: 'Space',
  keysTaken: 'Another program has these keys. Choose others.',
  keysUnavailable: 'This desktop gives programs no global shortcut.',
  keysChosen: 'Your desktop opens it with {keys}. You can change that in its own settings.',
  startAtLogin: 'Start with the computer',
  startAtLoginHint:
    'Skein starts when you log in, and waits in the tray. Without a tray its window opens.',
  startAtLoginFailed: 'The system did not take this choice. Its reason is in skein.log.',
  taskbar: 'Signals in the taskbar',
  taskbarHint:
    'When a reply ends or a tool asks while you are elsewhere, and how far an import is. Not every taskbar shows them.',
  otherWays:
    'Where your file manager offers Skein under “Open with” (texts, PDFs and pictures), that begins a session with the file. The menu of a session opens it in a window of its own.',
} as const;
