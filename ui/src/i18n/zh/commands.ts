import type { commands as original } from '../en/commands';
import type { Translation } from '../types';

export const commands: Translation<typeof original> = {
  commands: '命令',
  found: '{count} 个命令',
  context: '查看上下文有多满、由什么占用',
  compact: '立即为对话较早的部分生成摘要',
  notDone: '未能执行“{line}”。{why}',
  compactKeep: '需要特别保留的内容（可选）',
  undoCompact: '撤销最近一次压缩',
  redoCompact: '重做最近撤销的压缩',
  new: '在当前会话中开始新话题',
  clear: '清空上下文：开启新话题，提醒项保留',
  instructions: '编写本会话的指令，模型每次回复前都会先读',
  export: '将当前会话保存为文件',
  cleared: '已清空上下文并开启新话题，之前的话题仍可查看。',
};
