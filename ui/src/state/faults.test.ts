import { expect, it } from 'vitest';
import { textIn } from '../i18n/text';
import { faultWords } from './faults';

it('ends its sentence once where the words of another end themselves', () => {
  const message = 'Incorrect API key provided. ';
  const fault = { kind: 'unauthorized' as const, status: 401, message };
  expect(faultWords(textIn('en'), fault)).toBe(
    'The key was not accepted: Incorrect API key provided. Check it in Settings → Providers.',
  );
  expect(faultWords(textIn('zh'), fault)).toBe(
    '密钥未被接受：Incorrect API key provided。请在“设置 → 提供商”中检查。',
  );
});
