export const desktop = {
  trayIcon: 'Icon in the tray',
  trayIconHint: 'Its menu opens recent sessions, begins a new one and quits Skein.',
  noTray: 'This desktop shows no tray at the moment.',
  closeToTray: 'Keep running in the tray',
  closeToTrayHint: 'Closing the window then does not quit Skein. Without a tray it quits.',
} as const;
