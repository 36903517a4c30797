import { app } from './app';
import { attach } from './attach';
import { commands } from './commands';
import { compaction } from './compaction';
import { composer } from './composer';
import { context } from './context';
import { data } from './data';
import { errors } from './errors';
import { finding } from './finding';
import { keyboard } from './keyboard';
import { folder } from './folder';
import { health } from './health';
import { kit } from './kit';
import { markdown } from './markdown';
import { mcp } from './mcp';
import { providers } from './providers';
import { quarantine } from './quarantine';
import { seen } from './seen';
import { reminders } from './reminders';
import { settings } from './settings';
import { start } from './start';
import { strategy } from './strategy';
import { threads } from './threads';
import { tools } from './tools';
import { toolAbout } from './toolAbout';
import { toolSettings } from './toolSettings';
import { transcript } from './transcript';
import { waiting } from './waiting';

export const en = {
  app,
  attach,
  commands,
  compaction,
  composer,
  context,
  data,
  errors,
  finding,
  keyboard,
  folder,
  health,
  kit,
  markdown,
  mcp,
  providers,
  quarantine,
  seen,
  reminders,
  settings,
  start,
  strategy,
  threads,
  tools,
  toolAbout,
  toolSettings,
  transcript,
  waiting,
} as const;
