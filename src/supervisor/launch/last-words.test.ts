import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { aReading, aTmuxWatch, aWatch } from '../samples.ts';
import { lastWords, saveScreen } from './last-words.ts';

test('the last screens of a worker are private files, the newest five of them', () => {
  using scratch = scratchStore();
  const { layout } = scratch.open();
  let now = 1_800_000_000_000;
  const context = { layout, files: systemFiles, clock: { now: () => now, sleep: async () => undefined } };
  expect(saveScreen(context, 'adam', '')).toBeUndefined();
  const other = saveScreen(context, 'adam-2', 'of another worker');
  const saved = Array.from({ length: 7 }, (_, index) => {
    now += 1_000;
    return saveScreen(context, 'adam', `screen ${index}`) ?? '';
  });
  const kept = readdirSync(layout.logs).filter((name) => name.includes('.screen-'));
  expect(kept.toSorted()).toEqual([other ?? '', ...saved.slice(2)].map((path) => path.slice(layout.logs.length + 1)).toSorted());
  expect(readFileSync(saved.at(-1) ?? '', 'utf8')).toBe('screen 6\n');
  expect(statSync(saved.at(-1) ?? '').mode & 0o777).toBe(0o600);
});

test('a screen that cannot be written stops nothing', () => {
  using scratch = scratchStore();
  const { layout } = scratch.open();
  const full = () => {
    throw new Error('ENOSPC: no space left on device');
  };
  const context = { layout, files: { ...systemFiles, writePrivate: full }, clock: scratch.clock };
  expect(saveScreen(context, 'adam', 'a screen')).toBeUndefined();
});

test('old screens that cannot be removed do not hide the new one', () => {
  using scratch = scratchStore();
  const { layout } = scratch.open();
  const denied = () => {
    throw new Error('EACCES: permission denied');
  };
  const context = { layout, files: { ...systemFiles, names: denied }, clock: scratch.clock };
  expect(readFileSync(saveScreen(context, 'adam', 'a screen') ?? '', 'utf8')).toBe('a screen\n');
});

test('the screen just written is kept, also when the clock was set back', () => {
  using scratch = scratchStore();
  const { layout } = scratch.open();
  let now = 1_800_000_000_000;
  const context = { layout, files: systemFiles, clock: { now: () => now, sleep: async () => undefined } };
  for (let saved = 0; saved < 5; saved += 1) {
    saveScreen(context, 'adam', `screen ${saved}`);
    now += 1_000;
  }
  now -= 3_600_000;
  expect(readFileSync(saveScreen(context, 'adam', 'the last one') ?? '', 'utf8')).toBe('the last one\n');
  expect(readdirSync(layout.logs).filter((name) => name.includes('.screen-'))).toHaveLength(5);
});

test('blank rows between the text and the box of an agent count as one', async () => {
  using scratch = scratchStore();
  const store = scratch.open();
  const lines = ['the prompt', ...Array.from({ length: 60 }, () => ''), '❯ '];
  const capture = { screen: { lines, width: 80, height: 62 }, reading: aReading(), since: 0, at: 0, stillSince: 0, essence: '' };
  const watch = aWatch({ tmux: aTmuxWatch('gone') });
  watch.screen = { ...watch.screen, capture };
  const terminal = { lastOutput: async () => [] };
  expect(await lastWords({ store, terminal }, watch)).toBe('the prompt\n\n❯');
});
