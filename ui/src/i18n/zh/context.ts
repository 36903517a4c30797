import type { context as original } from '../en/context';
import type { Translation } from '../types';

export const context: Translation<typeof original> = {
  estimate: '上下文预估',
};
