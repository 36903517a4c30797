export const folder = {
  choose: 'Choose a folder',
  chosen: 'Folder: {name}',
  title: 'Folder of this session',
  path: 'Folder',
  hint: 'The model may read it, and write in it after asking you. It reaches nothing else.',
  browse: 'Browse…',
  use: 'Use this folder',
  remove: 'No folder',
} as const;
