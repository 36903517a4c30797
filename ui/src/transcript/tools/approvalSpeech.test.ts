import { expect, it } from 'vitest';
import { createTranslate } from '../../i18n/translate';
import type { ApprovalPreview } from '../../ipc/bindings';
import { approvalSpeech } from './approvalSpeech';

const speak = (preview: ApprovalPreview | null) =>
  approvalSpeech(createTranslate('en'), {
    messageId: 1,
    callId: 'c',
    tool: 'run_command',
    effect: 'runs',
    grant: 'run_command',
    preview,
  });

it('h01_speaks_the_tool_and_what_it_would_do', () => {
  expect(speak({ type: 'command', line: 'rm -r wool', folder: '/loom' })).toBe(
    [
      'The model wants to use run_command.',
      'It would run in /loom:',
      'rm -r wool',
      'run_command is waiting for your answer.',
    ].join('\n'),
  );
  expect(speak({ type: 'request', target: 'https://wool.example' })).toContain(
    'It would reach:\nhttps://wool.example',
  );
});

it('speaks invisible characters as the codes that the page shows', () => {
  const hidden = 'echo wool\u202e\u0000';
  expect(speak({ type: 'command', line: hidden, folder: '/lo\u200bom' })).toContain(
    'It would run in /lo⟨U+200B⟩om:\necho wool⟨U+202E⟩⟨U+0000⟩\n',
  );
  expect(speak({ type: 'request', target: 'wool\n\n\n\n\nsilk' })).toMatch(/wool\n.*4.*\nsilk/);
});

it('cuts a long argument with a mark, and says where the rest is', () => {
  const spoken = speak({ type: 'reminder', content: 'w'.repeat(5_000) });
  expect(spoken).toContain(
    `${'w'.repeat(1_000)}…\nThis is only the beginning. The rest is on the page.\n`,
  );
  expect(spoken.length).toBeLessThan(1_200);
});
