import type { transcript as original } from '../en/transcript';
import type { Translation } from '../types';

export const transcript: Translation<typeof original> = {
  conversation: '对话',
};
