// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const page = readFileSync(new URL('../../index.html', import.meta.url), 'utf8');

const pairs = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

function colour(name: string, theme: 'light' | 'dark') {
  const pair = pairs.get(name);
  if (!pair) throw new Error(`no colour token --${name}`);
  return pair[theme];
}

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string) {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string) {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const surfaces = ['page', 'side', 'raised', 'tint', 'hover'];
const on = (names: string[], floors: string[]) =>
  names.flatMap((name) => floors.map((floor) => [name, floor] as const));

const words = [
  ...on(
    ['text', 'text-quiet'],
    [...surfaces, 'pressed', 'accent-tint', 'danger-tint', 'warning-tint'],
  ),
  ...on(['accent', 'accent-hover', 'danger', 'warning'], surfaces),
  ...on(['accent'], ['accent-tint']),
  ...on(['danger'], ['danger-tint']),
  ...on(['warning'], ['warning-tint']),
  ...on(['healthy', 'caution', 'critical', 'unknown'], ['page', 'side', 'raised']),
  ...on(
    [...pairs.keys()].filter((name) => name.startsWith('code-')),
    ['code', 'page', 'tint'],
  ),
  ['text', 'found'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-hover'],
] as const;

const shapes = [
  ...on(['line-control', 'focus'], ['page', 'side', 'raised']),
  ...on(
    [...pairs.keys()].filter((name) => name.startsWith('chart-')),
    ['page', 'raised'],
  ),
] as const;

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(words)('words in --%s can be read on --%s', (front, back) => {
    expect(contrast(colour(front, theme), colour(back, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(shapes)('shapes in --%s stand out from --%s', (front, back) => {
    expect(contrast(colour(front, theme), colour(back, theme))).toBeGreaterThanOrEqual(3);
  });
});

test('the frame painted before any script has the colours of the window', () => {
  const painted = [...page.matchAll(/light-dark\((#\w+), (#\w+)\)/g)].map(([, light, dark]) => ({
    light,
    dark,
  }));
  expect(painted).toEqual([
    pairs.get('page'),
    pairs.get('side'),
    pairs.get('line'),
    pairs.get('line'),
    pairs.get('line-control'),
    pairs.get('raised'),
  ]);
});

test('distances lie on a grid of four pixels', () => {
  const distances = [
    ...css.matchAll(/--(?:space|round|control|sidebar|reading|leading)[\w-]*: (\d+)px;/g),
  ];
  expect(distances.length).toBeGreaterThan(10);
  expect(distances.map(([, px]) => Number(px) % 4)).toEqual(distances.map(() => 0));
});

test('no face for Chinese comes before one for Latin letters', () => {
  const lists = [...css.matchAll(/--font[\w-]*:([^;]+);/g)].map(([, faces = '']) =>
    faces.split(',').map((face) => face.trim()),
  );
  expect(lists).toHaveLength(2);
  for (const faces of lists) {
    const chinese = faces.findIndex((face) => /SC'|YaHei/.test(face));
    const latin = faces.findLastIndex((face) => !/SC'|YaHei/.test(face));
    expect(faces[latin]).toMatch(/^(sans-serif|monospace)$/);
    expect(chinese).toBeGreaterThan(latin);
  }
});
