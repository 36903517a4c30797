export const updates = {
  title: 'Updates',
  none: 'This build does not update itself.',
  agree: 'Look for updates once a day',
  agreeHint:
    'Nobody but {host} is asked, once a day and when you press the button. It receives the version of Skein and sees your network address; nothing of yours is sent. When off, it is never called.',
  check: 'Look now',
  checking: 'Asking {host}…',
  upToDate: 'Skein {version} is the newest version.',
  available: 'Skein {version} is available.',
  notes: 'What is new',
  install: 'Install and restart',
  installHint:
    'The package is installed only with the right signature, and the database is copied first. While a reply or another task runs, Skein waits for it.',
  download: 'Download',
  downloadHint:
    'The package is kept only with the right signature, and the database is copied. Then the command is shown with which the system’s package manager installs it.',
  downloading: 'Downloading: {received}…',
  downloadingOf: 'Downloading: {received} of {total}…',
  waiting: 'Waiting until nothing runs and no text is unsaved…',
  installing:
    'Copying the database and replacing the program. Then Skein restarts as soon as nothing runs…',
  keeping: 'Copying the database and keeping the package…',
  goingBack: 'Exporting what was written since the update…',
  installed: 'Skein restarts…',
  packaged:
    'The package of Skein {version} is downloaded, and its signature is right. The system’s package manager installs it: close Skein and run this in a terminal.',
  returnStaged:
    'What was written since the update is exported, and from now on nothing is stored. Close Skein and run this in a terminal: the system’s package manager puts Skein {version} back, which opens with the database as it was before the update.',
  stay: 'Stay with version {version}',
  copyCommand: 'Copy the command',
  cancel: 'Cancel',
  goBack: 'Go back to version {version}…',
  goBackNow: 'Go back and restart',
  goBackPackaged: 'Export and show the command',
  goBackTitle: 'Go back to version {version}',
  goBackWords:
    'Skein {version} comes back with the database as it was before the update. Sessions that changed since are exported first and offered for import. The present database stays as a copy. Only there is the rest of what changed: messages that were edited and not sent again, reminders of every session, deletions, and the history of usage. As after every restored copy, permissions have to be confirmed.',
  returned:
    'Skein has gone back from version {version}, with the database as it was before that update.',
  returnedSessions: {
    one: '{count} session changed with that version. It is in {path}.',
    other: '{count} sessions changed with that version. They are in {path}.',
  },
  returnedNothing: 'No session had changed since.',
  importReturned: 'Import them',
  imported: 'What was written since was imported, beside what was there.',
  noticeAvailable: 'Skein {version} is available. To install it, open Settings → About.',
  fault_unreachable:
    '{host} cannot be reached. Check the network and look again later. This version keeps running.',
  fault_badAnswer:
    '{host} did not answer with a release. Look again later. This version keeps running.',
  fault_noPackage: 'The new version has no package for this system. This version keeps running.',
  fault_otherHost:
    'The release is at {host}, a host that you did not agree to. Nothing was downloaded. Tell those who made this build.',
  fault_cutOff:
    'The download from {host} was cut off. Look again and repeat it. This version keeps running.',
  fault_tooLarge:
    'The package is larger than Skein can be. The download was ended. Tell those who made this build.',
  fault_badSignature:
    'The package does not have the right signature and was thrown away. Do not install it by hand. Look again later, and tell those who made this build.',
  fault_otherVersion:
    'The package is signed as another version than the announced one, or for another system, and was thrown away. Look again later, and tell those who made this build.',
  fault_installer:
    'The installer failed: {detail}. Look again and repeat it, or install the new version by hand. This version keeps running.',
  fault_file: '{words} This version keeps running.',
} as const;
