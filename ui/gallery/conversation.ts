/**
 * The words of the scenes, in both languages.
 */
import type { ContentPart, Message } from '../src/ipc/bindings';

type Line = { role: Message['role']; parts: ContentPart[]; kind?: Message['kind'] };

const text = (words: string): ContentPart => ({ type: 'text', text: words });

const picture: ContentPart = {
  type: 'image',
  blob: 1,
  name: 'dye-samples.png',
  mediaType: 'image/png',
  width: 640,
  height: 480,
  bytes: 482_113,
};

const file = (zh: boolean): ContentPart => ({
  type: 'file',
  blob: 2,
  name: zh
    ? '一份名字非常长的供应商价格清单（最终版）.csv'
    : 'a-price-list-with-a-rather-long-name-final.csv',
  mediaType: 'text/csv',
  text: 'dye,price',
  bytes: 18_400,
});

export const written = (zh: boolean): ContentPart[] => [picture, file(zh)];

const answer = (zh: boolean) =>
  zh
    ? `茜草最便宜，靛蓝最耐洗。\n\n| 染料 | 价格（€/kg） | 耐洗度 |\n| --- | ---: | --- |\n| 茜草 | 18 | 良好 |\n| 靛蓝 | 31 | 极好 |\n\n> 小批量购买时价格会上浮约 12%。\n\n1. 先称量干羊毛。\n2. 按 \`1 : 0.4\` 的比例称取染料。\n3. 参见[供应商目录](https://example.org/dyes)。\n\n\`\`\`python\ndef cost(wool_kg: float, price: float = 18.0) -> float:\n    """每批染料的费用。"""\n    return wool_kg * 0.4 * price\n\`\`\`\n\n费用为 $c = 0.4\\,m\\,p$。`
    : `Madder is the cheapest, indigo keeps best.\n\n| Dye | Price (€/kg) | Fastness |\n| --- | ---: | --- |\n| Madder | 18 | good |\n| Indigo | 31 | excellent |\n\n> Small lots cost about 12 % more.\n\n1. Weigh the dry wool first.\n2. Take dye at \`1 : 0.4\`.\n3. See the [supplier's catalogue](https://example.org/dyes).\n\n\`\`\`python\ndef cost(wool_kg: float, price: float = 18.0) -> float:\n    """What the dye for a batch costs."""\n    return wool_kg * 0.4 * price\n\`\`\`\n\nThe cost is $c = 0.4\\,m\\,p$.`;

const tool = (zh: boolean): ContentPart => ({
  type: 'tool',
  call: {
    callId: 'c1',
    name: 'web_search',
    args: JSON.stringify({ query: zh ? '茜草 价格' : 'madder price' }),
    signature: null,
    state: { type: 'done', output: { text: '18 €/kg', whole: null, withheld: false } },
  },
});

export function conversation(zh: boolean): Line[] {
  const say = (en: string, chinese: string) => text(zh ? chinese : en);
  return [
    {
      role: 'user',
      parts: [
        say(
          'I have four kilos of undyed wool and a budget of thirty euros. What can I do?',
          '我有四公斤未染色的羊毛，预算三十欧元，能做什么？',
        ),
      ],
    },
    { role: 'assistant', parts: [text(answer(zh))] },
    { role: 'user', parts: [say('And silk?', '丝绸呢？')] },
    {
      role: 'assistant',
      parts: [
        say(
          'Silk takes the same dyes at half the weight, but wants cooler water: 60 °C at most.',
          '丝绸可用同样的染料，用量减半，但水温不要超过 60 °C。',
        ),
      ],
    },
    {
      role: 'assistant',
      kind: { type: 'summary' },
      parts: [
        say(
          '## Goal\nDye four kilos of wool for thirty euros.\n\n## Facts\n- Madder: 18 €/kg',
          '## 目标\n用三十欧元染四公斤羊毛。\n\n## 事实\n- 茜草：18 €/kg',
        ),
      ],
    },
    {
      role: 'user',
      parts: [
        say('Compare these samples with the list, please.', '请把这些样品和清单比较一下。'),
        picture,
        file(zh),
      ],
    },
    {
      role: 'assistant',
      parts: [
        {
          type: 'reasoning',
          text: zh ? '先看价格，再看颜色。' : 'First the prices, then the colours.',
          signature: null,
        },
        tool(zh),
        text(answer(zh)),
      ],
    },
    {
      role: 'user',
      kind: { type: 'notice', notice: { type: 'caution', prompt: 104_000, optimal: 100_000 } },
      parts: [],
    },
    { role: 'user', parts: [say('Thank you. Write the order.', '谢谢，请写订单。')] },
    {
      role: 'assistant',
      parts: [
        say(
          'Two kilos of madder at 18 €/kg come to 36 €, six over the budget. With 1.6 kg it is 28.80 € and the wool comes out a shade lighter.\n\nShall I write the order for **1.6 kg**?',
          '两公斤茜草按 18 €/kg 计为 36 €，超预算六欧元。若用 1.6 公斤则为 28.80 €，颜色会略浅。\n\n要按 **1.6 公斤**写订单吗？',
        ),
      ],
    },
  ];
}
