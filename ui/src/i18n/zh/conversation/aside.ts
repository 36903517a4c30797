import type { aside as original } from '../../en/conversation/aside';
import type { Translation } from '../../en/textKeys';

export const aside: Translation<typeof original> = {
  title: '附带提问',
  about: '根据对话目前的内容提问。问答不会进入对话，也不会运行工具。',
  conversation: '附带提问与回答',
  question: '你的问题',
  ask: '提问',
  stop: '停止',
  waiting: '正在等待模型…',
  stopped: '已停止。',
  called: '模型想使用工具。附带提问不运行工具。',
  noWords: '模型没有回答。',
  notCached: '未使用缓存',
  keep: '还是保留',
  kept: '附带提问已加入话题。',
  tooLong: '问题没有发送。请先压缩话题（/compact），或缩短问题。',
  closeTitle: '不再保留附带提问？',
  closeWords: '它们没有保存。“还是保留”会将它们放到话题末尾。',
  forget: '不保留',
};
