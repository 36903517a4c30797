export const folder = {
  choose: 'Choose a folder',
  chosen: 'Folder: {name}',
  title: 'Folder of this session',
  path: 'Folder',
  hint: 'The model may read this folder, and write in it after asking you. It can reach no other folder.',
  browse: 'Browse…',
  use: 'Use this folder',
  remove: 'No folder',
  lostName: 'Folder: {name}, out of reach',
  lost: 'The tools cannot reach the folder of this session. {reason} Choose another, or go on without one.',
  another: 'Choose another…',
} as const;
