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
  more: '更多',
  notifications: '通知',
  filter: '筛选',
  nothingFound: '没有找到“{query}”',
  loading: '正在加载…',
  optional: '可选',
};
