import type { kit as original } from '../en/kit';
import type { Translation } from '../types';

export const kit: Translation<typeof original> = {
  close: '关闭',
  cancel: '取消',
  undo: '撤销',
  dismiss: '忽略',
  clear: '清除',
  copy: '复制',
  copied: '已复制',
  notCopied: '无法复制，请重试。',
  more: '更多',
  moreNotifications: '还有 {count} 条通知',
  notifications: '通知',
  toNotification: '转到最新通知',
  filter: '筛选',
  aside: '（{words}）',
  labelled: '{label}：{words}',
  nothingFound: '没有找到“{query}”',
  loading: '正在加载…',
  optional: '可选',
  failedTitle: '窗口的这一部分出错了',
  failedAdvice: '你的对话保存在窗口之外，不会丢失。请重试，或重新载入窗口。',
  tryAgain: '重试',
  reload: '重新载入窗口',
  errorDetails: '错误详情',
};
