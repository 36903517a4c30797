import { expect, it } from 'vitest';
import { resolveLinkedModel, type LinkedModel } from './resolveLinkedModel';

const gpt = { provider: 'openai-7f3a', model: 'gpt-5.4' };
const local = { provider: 'ollama-1b2c', model: 'llama3.2:3b' };
const routed = { provider: 'openrouter-9d', model: 'meta/llama-3' };
const twice = [
  { provider: 'custom-1', model: 'weaver' },
  { provider: 'custom-2', model: 'weaver' },
];
/** Of no provider that is configured. */
const demo = { provider: 'demo', model: 'demo-8k' };
const configured = [gpt, local, routed, ...twice];
const models = [demo, ...configured];
const providers = configured.map(({ provider }) => ({
  id: provider,
  kind: provider.split('-')[0] ?? '',
}));

it.each<[string, LinkedModel]>([
  ['openai-7f3a/gpt-5.4', gpt],
  ['openai/gpt-5.4', gpt],
  ['gpt-5.4', gpt],
  ['llama3.2:3b', local],
  ['meta/llama-3', routed],
  ['openrouter/meta/llama-3', routed],
  ['weaver', 'several'],
  ['custom/weaver', 'several'],
  ['custom-2/weaver', { provider: 'custom-2', model: 'weaver' }],
  ['anthropic/gpt-5.4', 'none'],
  ['gpt', 'none'],
  ['demo/demo-8k', demo],
  ['undefined/demo-8k', 'none'],
])('finds the model that a link calls %s, and chooses between none', (written, found) => {
  expect(resolveLinkedModel(written, models, providers)).toEqual(found);
});
