import { expect, it } from 'vitest';
import { createTranslate } from '../../i18n/translate';
import type { ApprovalPreview } from '../../ipc/bindings';
import { grantLabel } from './grantLabel';

const command: ApprovalPreview = { type: 'command', line: 'ls', folder: '/loom' };
const diff: ApprovalPreview = { type: 'diff', path: '/loom/a.md', diff: '+a', leftOut: null };
const request: ApprovalPreview = { type: 'request', target: 'https://wool.example/red' };
const foreign: ApprovalPreview = { type: 'foreign', server: 'a/b', args: '{}', changed: false };

it.each([
  ['run_command', 'run_command /loom $ ls', command, /allows exactly this command in \/loom\.$/],
  ['edit_file', 'edit_file /the loom', diff, /edit_file for every file in \/the loom\.$/],
  ['edit_file', 'edit_file /the loom//.envrc', diff, /edit_file for \.envrc alone\. /],
  [
    'fetch_page',
    'fetch_page https://wool.example',
    request,
    /every page of https:\/\/wool\.example\.$/,
  ],
  [
    'a_b__echo',
    'mcp:a%2Fb/ec%23ho#0f9e8d7c0f9e8d7c0f9e8d7c0f9e8d7c',
    foreign,
    /every call of ec#ho of the server “a\/b”, until/,
  ],
  ['other', 'something else', null, /means: something else$/],
])('says what a lasting yes to %s covers', (tool, grant, preview, words) => {
  const question = { messageId: 1, callId: 'c', tool, effect: 'runs', grant, preview } as const;
  expect(grantLabel(createTranslate('en'), question)).toMatch(words);
});

it('says nothing more where every call of the tool is covered', () => {
  const preview: ApprovalPreview = { type: 'request', target: 'red wool' };
  const of = { messageId: 1, callId: 'c', effect: 'reachesOut' } as const;
  const question = { ...of, tool: 'web_search', grant: 'web_search', preview };
  expect(grantLabel(createTranslate('en'), question)).toBeNull();
});
