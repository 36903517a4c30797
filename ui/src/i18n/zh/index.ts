import { app } from './app';
import { commands } from './commands';
import { composer } from './composer';
import { context } from './context';
import { errors } from './errors';
import { kit } from './kit';
import { markdown } from './markdown';
import { settings } from './settings';
import { threads } from './threads';
import { tools } from './tools';
import { transcript } from './transcript';

export const zh = {
  app,
  commands,
  composer,
  context,
  errors,
  kit,
  markdown,
  settings,
  threads,
  tools,
  transcript,
} as const;
