import type { upperBound as original } from '../../en/settings/upperBound';
import type { Translation } from '../../en/textKeys';

export const upperBound: Translation<typeof original> = {
  user: '在你设置的上限 {tokens} tokens 处压缩；{percent}% 本为 {share}。',
  priceStep: '在 {tokens} 处压缩：超过后，{model} 的全部 tokens 都更贵；{percent}% 本为 {share}。',
  ofModel: '在 {tokens} tokens 处压缩，这是 {model} 的上限；{percent}% 本为 {share}。',
  quality:
    '在 {tokens} 处压缩，这是窗口大于 256k 时的上限：上下文越长，回答越差；{percent}% 本为 {share}。',
  alone: '在你设置的上限 {tokens} tokens 处压缩。',
  setting: '压缩阈值的上限（tokens）',
  settingHint:
    '无论阈值是多少，超过此数就会压缩。留空：窗口不超过 256k 时没有上限；更大的窗口为 150,000，若模型在更低处涨价则取该处。如不需要上限，请填入窗口的大小。',
  settingHintCostless:
    '无论阈值是多少，超过此数就会压缩。留空：窗口不超过 256k 时没有上限；更大的窗口为 150,000，部分模型更低。如不需要上限，请填入窗口的大小。',
  followsNone: '留空则没有上限',
};
