import type { commands as original } from '../../en/conversation/commands';
import type { Translation } from '../../en/textKeys';

export const commands: Translation<typeof original> = {
  commands: '命令',
  found: '{count} 个命令',
  context: '查看上下文有多满，由什么占用',
  compact: '立即用摘要代替本话题中较早的消息',
  notDone: '未能执行“{line}”。{why}',
  compactKeep: '需要特别保留的内容（可选）',
  undoCompact: '撤销最近一次压缩',
  redoCompact: '重做最近撤销的压缩',
  new: '在当前会话中开始空白的新话题',
  clear: '开启只保留提醒项的新话题',
  instructions: '编写本会话的自定义说明，模型每次回复前都会先读',
  export: '将当前会话保存为文件',
  savePrompt: '将其后的内容存为提示词',
  savePromptWords: '提示词的内容',
  promptTitle: '保存提示词',
  promptName: '名称',
  promptNameHint: '使用时写在斜杠之后：字母、汉字、数字、- 和 _。',
  promptWords: '内容',
  promptWordsHint: '写在 {variable} 中的变量会在使用时询问。',
  promptSave: '保存提示词',
  promptSaved: '已保存，可用命令 /{name} 调用。',
  prompt_badName: '命令不能使用这个名称。请使用字母、汉字、数字、- 和 _。',
  prompt_taken: '已有同名的提示词，请换一个名称。',
  cleared: '已清空上下文并开启新话题，之前的话题仍可查看。',
};
