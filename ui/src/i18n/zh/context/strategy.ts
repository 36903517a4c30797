export const strategy = {
  title: '上下文将满时（本会话）',
  chosen: '上下文将满时：{name}',
  follow: '跟随全局：{name}',
  summarize: '生成摘要',
  summarizeAt: '超过 {tokens} tokens 后，较早的消息以摘要形式发送。不会删除任何内容，可以撤销。',
  summarizePlain: '较早的消息以摘要形式发送。不会删除任何内容，并且可以撤销。',
  remind: '提醒模型整理',
  remindAt:
    '服务商统计用量超过 {optimal} tokens 后，请模型把要点写入提醒项；超过 {critical} 后再回复五次，随后凭提醒项在新话题中继续。',
  remindPlain: '请模型把要点写入提醒项，并凭提醒项开启新话题。',
  archive: '归档并开启新话题',
  archiveAt: '超过 {tokens} tokens 后归档当前话题，并以你的消息开启新话题。',
  archivePlain: '归档当前话题，并以你的消息开启新话题。旧话题仍可阅读。',
  unknownWindow: '{model} 的窗口未知，因此以上都不会自动发生。请先设置它的上下文窗口。',
  assumed:
    '新会话所用模型 {model} 的窗口未知：不会自动进行任何操作，手动压缩时按 {tokens} tokens 计算。',
  ofNewSessions: '以上数字按新会话所用的模型 {model} 计算。',
  off: '此处已关闭自动处理：以上都不会自动发生。',
  later: '选择后不会立即执行，从下一条消息起生效。',
  noTools: '此模型不支持工具，被提醒时也无法写提醒项。Skein 会代为写下。',
  useSummarize: '改用生成摘要',
} as const;
