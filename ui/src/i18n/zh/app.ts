import type { app as original } from '../en/app';
import type { Translation } from '../types';

export const app: Translation<typeof original> = {
  toggleSidebar: '显示或隐藏侧边栏',
};
