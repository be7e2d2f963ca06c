import { describe, expect, test } from 'vitest';
import { claudeAgent } from '../../src/agents/claude/adapter.ts';
import { screenFromText } from '../../src/terminal/screen.ts';
import { changedLines, compare, difference, report } from './compare.ts';
import { neutralise } from './neutral.ts';
import { previousOf } from './previous.ts';
import { fileName, type Recording, screenOf, textOf } from './record.ts';

const READY = ['', '─'.repeat(80), '❯\u00a0', '─'.repeat(80), '  ⏵⏵ bypass permissions on (shift+tab to cycle)'];
const BUSY = [...READY.slice(0, -1), `${READY.at(-1)} · esc to interrupt`];
const recording = (lines: readonly string[], changes: Partial<Recording['situation']> = {}): Recording => ({
  situation: { name: 'finished', expected: 'ready', moves: [], ...changes },
  size: { width: 80, height: 24 },
  titled: false,
  screen: screenFromText(lines.join('\n')),
});

describe('a recording', () => {
  test.each<[string, Recording, readonly string[] | undefined, string | undefined]>([
    ['read as expected, and new', recording(READY), undefined, undefined],
    ['read as before', recording(READY), READY, undefined],
    ['read as something else', recording(BUSY), READY, expect.stringMatching(/^read as processing \(.+\)$/)],
    ['that was read as something else before', recording(READY), BUSY, expect.stringMatching(/^the other version is read as processing/)],
    ['whose box should hold text', recording(READY, { box: 'draft' }), undefined, 'its box is read as without text'],
    [
      'that was never made',
      { situation: recording([]).situation, size: { width: 80, height: 24 }, titled: false, problem: 'waited 30 s' },
      READY,
      'not reached: waited 30 s',
    ],
  ])('%s', (_, made, before, expected) => {
    expect(difference(compare(claudeAgent, made, before?.join('\n')))).toEqual(expected);
  });

  test('gets one line in the table, with a mark if it needs a check, and a verdict at the end', () => {
    const rows = [recording(READY), recording(BUSY, { name: 'odd' })].map((each) => compare(claudeAgent, each, READY.join('\n')));
    const [title, first, second, verdict] = report('claude 9.9.9', rows).split('\n');
    expect([title, verdict]).toEqual(['claude 9.9.9', '2 screens; 1 to check']);
    expect(first).toBe('  finished-80x24.txt  ready  same');
    expect(second).toMatch(/^! odd-80x24\.txt {7}ready {2}2 lines differ {2}← read as processing/);
  });

  test('has its situation, its size and its input box in its name', () => {
    expect(fileName(recording(READY))).toBe('finished-80x24.txt');
    expect(fileName(recording(READY, { box: 'folded' }))).toBe('finished-80x24.folded.txt');
    expect(fileName({ ...recording(READY, { box: 'draft' }), titled: true })).toBe('finished-80x24.titled.draft.txt');
  });

  test('keeps the title of its terminal, if it has a meaning', () => {
    const screen = { ...screenFromText('one\n\ntwo'), title: 'Ready | 0123' };
    expect(textOf(screen)).toBe('Ready | 0123\none\n\ntwo\n');
    expect(screenOf(textOf(screen), true)).toEqual(screen);
    expect(screenOf('one\n', false)).not.toHaveProperty('title');
  });
});

test('counters, animations and full-width lines do not count as differences', () => {
  const before = ['✻ Cooked for 8s · done 12:56 AM', '─'.repeat(80), '· Doodling… (3s)', 'same'].join('\n');
  const now = ['✶ Brewed for 11s · done 1:02 AM', '─'.repeat(200), '✽ Befuddling… (12s)', 'same'].join('\n');
  expect(changedLines(before, now)).toBe(0);
  expect(changedLines(before, `${now}\nanother`)).toBe(1);
});

test('names of a machine become neutral, and no column moves', () => {
  const words = { '/tmp/llmc-claude-Ab12Cd': '/tmp/place', 'a-b': '0' };
  const line = '│ /tmp/llmc-claude-Ab12Cd/project  a-b │';
  expect(neutralise(line, words)).toBe('│ /tmp/place/tmp/place/tm/project  000 │');
});

describe('what to compare with', () => {
  test('is the nearest recorded version', () => {
    expect(previousOf('claude', '99.0.0', true)?.version).toBe('2.1.325');
    expect(previousOf('claude', '2.1.0', true)?.version).toBe('2.1.325');
  });

  test('is the version itself unless that is written over', () => {
    const same = previousOf('claude', '2.1.325', false);
    expect(same?.version).toBe('2.1.325');
    expect(same?.screen('ready-80x24.txt')).toContain('Claude Code v2.1.325');
    expect(same?.screen('nowhere.txt')).toBeUndefined();
    expect(previousOf('claude', '2.1.325', true)).toBeUndefined();
    expect(previousOf('nobody', '1.0.0', true)).toBeUndefined();
  });
});
