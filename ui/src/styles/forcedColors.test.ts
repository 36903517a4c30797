// @vitest-environment node
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const styles = (file: string) =>
  readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');

/** The declarations of a rule, up to what is nested in it. */
function rule(file: string, selector: string) {
  const css = styles(file);
  const [, rest = ''] = css.split(`${selector} {`);
  return rest.split(/[{}]/)[0];
}

test.each([
  ['kit/fields/Switch.css', '.Switch-input'],
  ['kit/display/Meter.css', '.Meter'],
  ['context/ContextDialog.css', '.BreakdownBar'],
  ['context/ContextDialog.css', '.Breakdown-bar'],
  ['context/ContextDialog.css', '.Breakdown-mark'],
  ['sidebar/Sidebar.css', '.Sidebar-dot'],
  ['markdown/render/Markdown.css', '& > input'],
  ['kit/fields/Slider.css', '.Slider'],
  ['transcript/Transcript.css', ".Message[data-inclusion='leftOut']::before"],
  ['transcript/Transcript.css', '&::before'],
])('%s: %s is drawn by backgrounds alone and keeps them in a contrast theme', (file, selector) => {
  expect(rule(file, selector)).toContain('forced-color-adjust: none');
});

test('what is chosen or open has an edge in a contrast theme, and what is drawn has its colours', () => {
  const [, base = ''] = styles('styles/base.css').split('@media (forced-colors: active)');
  expect(base).toMatch(/\[aria-selected='true'\],\s*\[aria-current\] \{\s*outline: 2px solid/);
  const [, tokens = ''] = styles('styles/tokens.css').split('@media (forced-colors: active)');
  for (const name of ['page', 'accent', 'on-accent', 'line-control', 'tint', 'text-quiet', 'focus'])
    expect(tokens).toMatch(new RegExp(`--${name}: [A-Z]\\w+;`));
});

test('what is the person’s own, and what was led to, has an edge in the transcript instead of a tint', () => {
  const [, forced = ''] = styles('transcript/Transcript.css').split(
    '@media (forced-colors: active)',
  );
  for (const tinted of ['.Message[data-person]', '.Transcript-row[data-spot] .Message'])
    expect(forced.split(`${tinted} {`)[1]).toMatch(/^\s*outline: \dpx solid [A-Z]\w+;/);
});
