import type { finding as original } from '../en/finding';
import type { Translation } from '../types';

export const finding: Translation<typeof original> = {
  palette: '搜索与命令',
  palettePrompt: '会话、命令、设置、模型、消息',
  sessions: '会话',
  commands: '命令',
  settings: '设置',
  models: '模型',
  messages: '消息',
  useModel: '使用 {model}',
  nothing: '没有找到',
  shortcuts: '键盘快捷键',
  find: '在对话中查找',
  next: '下一个',
  previous: '上一个',
  place: '第 {at} 个，共 {count} 个',
  placeMany: '第 {at} 个，共 {count} 个以上',
  within: '其中第 {at} 处，共 {count} 处',
  elsewhere: '在另一个版本中',
  showVersion: '显示该版本',
  none: '没有匹配的消息',
  toEnd: '回到末尾',
};
