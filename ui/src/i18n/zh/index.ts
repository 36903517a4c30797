import { app } from './app/app';
import { appearance } from './settings/appearance';
import { aside } from './conversation/aside';
import { attach } from './conversation/attach';
import { budgets } from './settings/budgets';
import { commands } from './conversation/commands';
import { compaction } from './context/compaction';
import { composer } from './conversation/composer';
import { context } from './context/context';
import { data } from './settings/data';
import { diagnostics } from './settings/diagnostics';
import { errors } from './app/errors';
import { finding } from './app/finding';
import { keyboard } from './app/keyboard';
import { folder } from './conversation/folder';
import { health } from './context/health';
import { kit } from './app/kit';
import { markdown } from './conversation/markdown';
import { mcp } from './settings/mcp';
import { providers } from './settings/providers';
import { quarantine } from './settings/quarantine';
import { seen } from './context/seen';
import { reminders } from './conversation/reminders';
import { settings } from './settings/settings';
import { start } from './app/start';
import { strategy } from './context/strategy';
import { threads } from './app/threads';
import { tools } from './conversation/tools';
import { toolAbout } from './conversation/toolAbout';
import { toolSettings } from './settings/toolSettings';
import { transcript } from './conversation/transcript';
import { toolCleaning } from './settings/toolCleaning';
import { upperBound } from './settings/upperBound';
import { usage } from './settings/usage';
import { waiting } from './conversation/waiting';

export const zh = {
  app,
  appearance,
  aside,
  attach,
  budgets,
  commands,
  compaction,
  composer,
  context,
  data,
  diagnostics,
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
  toolCleaning,
  upperBound,
  usage,
  waiting,
} as const;
