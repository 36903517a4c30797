import type { app as original } from '../en/app';
import type { Translation } from '../types';

export const app: Translation<typeof original> = {
  skipToMessage: '跳到消息输入框',
};
