import type { keyboard as original } from '../en/keyboard';
import type { Translation } from '../types';

export const keyboard: Translation<typeof original> = {
  send: '发送消息的按键',
  enter: 'Enter',
  enterHint: 'Shift+Enter 换行。',
  modEnter: '{modifier}+Enter',
  modEnterHint: 'Enter 换行。',
  shortcuts: '键盘快捷键',
  zoomIn: '放大',
  zoomOut: '缩小',
  zoomReset: '缩放到 100%',
  nextSession: '下一个会话',
  previousSession: '上一个会话',
  renameSession: '重命名会话',
  toBox: '转到消息输入框',
  models: '选择模型',
  attach: '附加文件',
  copyReply: '复制最后一条回复',
  regenerateReply: '重新生成最后一条回复',
  undoes: '按下最新一条带“撤销”的通知中的“撤销”',
  sends: '发送消息',
  breaks: '换行',
  editsLast: '输入框为空时编辑上一条消息',
  commands: '在消息开头输入命令',
  stops: '停止回复，关闭打开的内容',
};
