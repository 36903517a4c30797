import type { settings as original } from '../en/settings';
import type { Translation } from '../types';

export const settings: Translation<typeof original> = {
  settings: '设置',
};
