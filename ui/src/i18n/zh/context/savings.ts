import type { savings as original } from '../../en/context/savings';
import type { Translation } from '../../en/textKeys';

export const savings: Translation<typeof original> = {
  title: '可以移出的内容',
  unusedTools: '{count} 个服务器工具，最近 {rounds} 轮没有用到：{names}',
  attachment: '第 {number} 条消息的附件“{name}”',
  toolResult: '第 {number} 条消息中的“{name}”调用及其结果',
  pinned: '已固定的第 {number} 条消息，摘要也已涵盖',
  instructionFile: '说明文件“{name}”',
  compaction: '较早的消息（由摘要代替）',
  saves: '每次发送节省 {tokens} tokens',
  savesCost: '每条消息 {tokens} tokens，{cost}',
  act_unusedTools: '在所有会话中关闭',
  act_attachment: '不发送这条消息',
  act_toolResult: '不发送这条消息',
  act_pinned: '取消固定',
  act_instructionFile: '显示文件',
  act_compaction: '压缩',
  switchedOff: '已在所有会话中关闭 {count} 个工具。',
};
