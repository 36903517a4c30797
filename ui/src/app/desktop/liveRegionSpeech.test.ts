import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { observeLiveRegions } from './liveRegionSpeech';

const spoken: string[] = [];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  spoken.length = 0;
  document.body.replaceChildren(element('main'), element('div', { 'aria-live': 'polite' }));
  stop = observeLiveRegions(document.body, (text) => spoken.push(text));
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

const main = () => document.querySelector('main') ?? document.body;

/** Mutations are reported in a microtask, and spoken after a moment. */
const settle = (milliseconds = 800) => vi.advanceTimersByTimeAsync(milliseconds);

/** An element with attributes, and texts or elements in it. */
function element(
  name: string,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const alert = (words: string) => element('p', { role: 'alert' }, words);
const status = (...children: (Node | string)[]) => element('p', { role: 'status' }, ...children);

it('h01_speaks_what_is_added_to_a_polite_region_once_and_in_order', async () => {
  const polite = document.querySelector('[aria-live]') ?? document.body;
  polite.append(element('div', {}, element('div', {}, 'Message sent.')));
  await settle(50);
  // The next announcement replaces the one before.
  polite.replaceChildren(element('div', {}, 'Assistant: The wool is red.'));
  await settle();
  expect(spoken).toEqual(['Message sent.\nAssistant: The wool is red.']);
  polite.replaceChildren();
  await settle();
  expect(spoken).toHaveLength(1);
});

it('h01_speaks_texts_that_were_announced_together_apart', async () => {
  const polite = document.querySelector('[aria-live]') ?? document.body;
  const texts = ['rm is waiting for your answer.', 'Tool: rm'];
  const parts = texts.map((text) => element('div', {}, text));
  polite.append(element('div', {}, element('p', {}, 'Saved.'), ...parts, element('div')));
  await settle();
  expect(spoken).toEqual(['Saved.\nrm is waiting for your answer.\nTool: rm']);
});

it('h01_speaks_a_toast_and_an_error_as_they_appear', async () => {
  main().append(status(element('span', {}, 'Deleted.'), ' ', element('button', {}, 'Undo')));
  await settle();
  main().append(element('section', {}, alert('The server  is\n not reachable.')));
  await settle();
  expect(spoken).toEqual(['Deleted. Undo', 'The server is not reachable.']);
});

it('speaks the latest text of a status that changes often, at intervals', async () => {
  const progress = status('1 %');
  main().append(progress);
  await settle();
  for (const percent of [2, 3, 4]) {
    progress.textContent = `${percent} %`;
    await settle();
  }
  expect(spoken).toEqual(['1 %']);
  await settle(3_000);
  expect(spoken).toEqual(['1 %', '4 %']);
});

it('speaks the same text of a status again where it was empty in between', async () => {
  const saving = status('Saved.');
  main().append(saving);
  await settle();
  saving.textContent = 'Saved.';
  await settle(4_000);
  expect(spoken).toEqual(['Saved.']);
  saving.textContent = '';
  await settle();
  saving.textContent = 'Saved.';
  await settle();
  expect(spoken).toEqual(['Saved.', 'Saved.']);
  saving.textContent = '';
  await settle(50);
  saving.textContent = 'Saved.';
  await settle(4_000);
  expect(spoken).toEqual(['Saved.', 'Saved.', 'Saved.']);
});

it('announces other texts while a status waits', async () => {
  const progress = status('1 %');
  main().append(progress);
  await settle();
  progress.textContent = '2 %';
  await settle(200);
  main().append(alert('The server is not reachable.'));
  await settle();
  expect(spoken).toEqual(['1 %', 'The server is not reachable.']);
});

it('speaks neither text outside of live regions nor what nobody is meant to hear', async () => {
  const log = element('div', { role: 'log', 'aria-live': 'off' });
  main().append(element('p', {}, 'A paragraph.'), log);
  log.append(element('p', {}, 'A token'));
  main().append(element('div', { 'aria-hidden': 'true' }, alert('Hidden.')));
  // A status that is part of a new view is no news.
  main().append(element('section', {}, status('3 selected')));
  await settle();
  expect(spoken).toEqual([]);
});

it('has ended when it is stopped', async () => {
  stop();
  main().append(alert('Nobody listens.'));
  await settle();
  expect(spoken).toEqual([]);
});
