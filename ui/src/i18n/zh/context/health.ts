export const health = {
  why_healthy: '上一次请求之后仍有充足的空间',
  why_caution: '该模型在 {optimal} tokens 以内效果最好，上一次请求已超过',
  why_critical: '窗口即将用满：上一次请求超过 {critical} tokens',
  why_unreported: '服务商尚未统计当前的上下文',
  why_compaction: '已超过压缩阈值，发送下一条消息前会先压缩',
  why_archiving: '已超过归档阈值，发送下一条消息前会先归档并开启新话题',
  lastRequest: '上一次请求：{tokens} tokens，由服务商统计',
  limit: '上限 {tokens}',
  optimal: '超过 {tokens} 为吃紧',
  critical: '超过 {tokens} 为告急',
} as const;
