import { app } from './app/app';
import { aside } from './conversation/aside';
import { attach } from './conversation/attach';
import { budgets } from './settings/budgets';
import { commands } from './conversation/commands';
import { composer } from './conversation/composer';
import { context } from './context/context';
import { errors } from './app/errors';
import { finding } from './app/finding';
import { keyboard } from './app/keyboard';
import { folder } from './conversation/folder';
import { health } from './context/health';
import { kit } from './app/kit';
import { providers } from './settings/providers';
import { reminders } from './conversation/reminders';
import { threads } from './app/threads';
import { transcript } from './conversation/transcript';
import { usage } from './settings/usage';
import { waiting } from './conversation/waiting';

export const firstFrame = {
  app,
  aside,
  attach,
  budgets,
  commands,
  composer,
  context,
  errors,
  finding,
  keyboard,
  folder,
  health,
  kit,
  providers,
  reminders,
  threads,
  transcript,
  usage,
  waiting,
} as const;
