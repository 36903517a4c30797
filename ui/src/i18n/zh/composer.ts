import type { composer as original } from '../en/composer';
import type { Translation } from '../types';

export const composer: Translation<typeof original> = {
  message: '消息',
};
