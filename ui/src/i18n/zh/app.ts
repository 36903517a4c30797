import type { app as original } from '../en/app';
import type { Translation } from '../types';

export const app: Translation<typeof original> = {
  skipToMessage: '跳到消息输入框',
  failedTitle: '窗口的这一部分出错了',
  failedAdvice: '你的对话保存在窗口之外，不会丢失。请重试，或重新载入窗口。',
  tryAgain: '重试',
  reload: '重新载入窗口',
  errorDetails: '错误详情',
};
