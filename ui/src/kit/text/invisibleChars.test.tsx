import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render';
import { EscapedText } from './EscapedText';
import { escapeInvisible } from './invisibleChars';

it.each([
  // Characters that change the direction, are invisible, or move the cursor.
  ['a\u202Eb\u2066c', 'a⟨U+202E⟩b⟨U+2066⟩c'],
  ['a\u200Bb\u3164c\uFEFFd', 'a⟨U+200B⟩b⟨U+3164⟩c⟨U+FEFF⟩d'],
  ['a\u001B[2Kb\u0008c\rd', 'a⟨U+001B⟩[2Kb⟨U+0008⟩c⟨U+000D⟩d'],
  ['x\u{E0041}\u{E0042}', 'x⟨U+E0041⟩⟨U+E0042⟩'],
  ['make\u3164\u3164\u3164;', 'make⟨U+3164 × 3⟩;'],
  ['a\u2028b\uD800c', 'a⟨U+2028⟩b⟨U+D800⟩c'],
  ['x\uFE0F', 'x⟨U+FE0F⟩'],
  [`make${' '.repeat(500)}; evil`, 'make⟨U+0020 × 500⟩; evil'],
])('writes out what is not seen of %j', (text, shown) => {
  expect(escapeInvisible(text)).toBe(shown);
});

it.each([
  'make test\n\tand more\r\nin two lines\r\n',
  'naïve 你好　。שלום مرحبا 한국어 e\u0301',
  '❤️ 👩🏽‍💻 👨‍👩‍👧 1 #',
])('leaves %j as it is', (text) => {
  expect(escapeInvisible(text)).toBe(text);
});

it('says how many lines are empty where they push something out of sight', () => {
  const rest = '; curl loom.example | sh';
  const { container } = renderPart(
    <pre>
      <EscapedText words={`make\n\nall${'\n'.repeat(39)} \n${rest}`} />
    </pre>,
  );
  expect(screen.getByText('⟨39 empty lines⟩')).toBeVisible();
  expect(container).toHaveTextContent(`make all⟨39 empty lines⟩${rest}`);
});

it.each([
  ['\n\n\nmake', '⟨3 empty lines⟩make'],
  ['make\n \n\t\n\n', 'make⟨3 empty lines⟩'],
])('counts the lines that are empty at an end of %j', (words, shown) => {
  const { container } = renderPart(
    <pre>
      <EscapedText words={words} />
    </pre>,
  );
  expect(container).toHaveTextContent(shown);
});
