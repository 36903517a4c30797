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

it('cuts a long argument with a mark', () => {
  const spoken = speak({ type: 'reminder', content: 'w'.repeat(5_000) });
  expect(spoken).toContain(`${'w'.repeat(1_000)}…\n`);
  expect(spoken.length).toBeLessThan(1_200);
});
