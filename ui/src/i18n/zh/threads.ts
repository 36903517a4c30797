import type { threads as original } from '../en/threads';
import type { Translation } from '../types';

export const threads: Translation<typeof original> = {
  sessions: '会话',
};
