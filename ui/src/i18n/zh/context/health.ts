export const health = {
  lastRequest: '上一次请求：{tokens} tokens，由服务商统计',
  noReport: '服务商尚未统计',
  limit: '上限 {tokens}',
  optimal: '超过 {tokens} 为吃紧',
  critical: '超过 {tokens} 为告急',
} as const;
