import type { toolCleaning as original } from '../../en/settings/toolCleaning';
import type { Translation } from '../../en/textKeys';

export const toolCleaning: Translation<typeof original> = {
  automatic: '自动',
  automaticNow: '自动：{choice}',
  everySend: '每次发送时',
  everySendInline: '每次发送时',
  everySendHint: '发送的 tokens 最少，但服务商的缓存每次都要重读最近几轮。',
  inBatches: '分批',
  inBatchesInline: '分批',
  inBatchesHint: '旧的工具调用积累到约 16,000 tokens 时一并清理；其间可使用服务商的缓存。',
  atCompaction: '仅在压缩时',
  atCompactionInline: '仅在压缩时',
  atCompactionHint: '最充分地使用服务商的缓存，但窗口会更早填满。',
  never: '从不',
  neverInline: '从不',
  neverHint: '工具调用会一直保留，直到归入摘要。',
  cheapReads: '因为 {model} 读取缓存中的内容只收原价的 {percent}%。其他模型可能不同。',
  local: '因为 {model} 不按 tokens 计费，其服务器记住的内容无需重读。其他模型可能不同。',
  smallDiscount: '因为 {model} 读取缓存中的内容并不便宜，或便宜不多。其他模型可能不同。',
  tooShort: '因为与 {model} 的对话在长到可以缓存之前就会压缩。其他模型可能不同。',
  unknown: '因为无从得知 {model} 读取缓存的价格。其他模型可能不同。',
  ofModel: '适用于 {model}。其他模型可能不同。',
};
