export const waiting = {
  title: '等待发送的消息',
  running: {
    one: '回复结束后将发送此消息。',
    other: '回复结束后将依次发送这 {count} 条消息。',
  },
  sending: {
    one: '正在发送此消息。',
    other: '正在依次发送这 {count} 条消息。',
  },
  storing: '正在发送…',
  paused: {
    one: '此消息尚未发送。',
    other: '这 {count} 条消息尚未发送。',
  },
  sendNow: '立即发送',
  sendNext: '随后发送',
  edit: '取回输入框：“{start}”',
  remove: '移除“{start}”',
  removed: '已移除等待的消息。',
  attachments: '{count} 个附件',
} as const;
