import type { errors as original } from '../en/errors';
import type { Translation } from '../types';

export const errors: Translation<typeof original> = {
  unexpected: '发生了意外错误',
};
