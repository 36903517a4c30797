export const healthChart = {
  title: '本话题的健康状况',
  chart: '{count} 次回复：请求从 {first} 到 {last} tokens，最高 {highest}。',
  chartNone: '服务商尚未统计本话题的用量。',
  forgotten: '服务商上次统计的用量已不适用：上下文有改动，或更换了模型。',
  table: '逐次回复的用量（服务商统计）',
  latest: '最近 {count} 次回复，最新的在前。',
  when: '时间',
  prompt: '请求',
  share: '占上限',
  cached: '来自缓存',
  level: '健康',
  unreported: '未统计',
} as const;
