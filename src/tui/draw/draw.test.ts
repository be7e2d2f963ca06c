import { describe, expect, test } from 'vitest';
import { measureWidth } from '../../base/text-width.ts';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import { anAsk, aReport, aRun, asking, aWorkerReport, Played, toReview } from '../samples.ts';
import { hitAt } from './hit.ts';

const SIZES = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
  [300, 100],
] as const;

const FLEET = [
  toReview('adam', { current_prompt: 'Fix the typo in README.md' }),
  asking('eve'),
  aWorkerReport('carl', { status: 'error', attention: 'It crashed', attention_kind: 'crashed' }),
  ...Array.from({ length: 47 }, (_, index) => aWorkerReport(`worker-${index}`, { status: index % 2 === 0 ? 'working' : 'idle' })),
];

const wideText = '漢字 😀 \u001b[31mred\u001b[0m \u202e evil\nsecond line\ttab';

test('a line shows the last sentence of the agent, not the end of a block of code', () => {
  const last_message = 'I looked. The cache is cold.\n\n```\n';
  expect(new Played([toReview('adam', { last_message })]).screen.join('\n')).toMatch(/^▌ {2}The cache is cold\. /m);
});

test.each([40, 60, 80, 120, 200])('three workers of a run are told apart at %i columns', (columns) => {
  const names = [1, 2, 3].map((number) => `literature-review-20260131-read-${number}`);
  const run = { id: 'literature-review-20260131', role: 'read', resting: false };
  const workers = names.map((name) => aWorkerReport(name, { status: 'working', run }));
  const { screen } = new Played(workers, { columns, rows: 40 });
  for (const number of [1, 2, 3]) expect(screen.filter((line) => line.includes(`read-${number} `))).not.toEqual([]);
});

test('the keys of the filter say what they do', () => {
  expect(new Played(FLEET).press('/').screen.at(-1)).toMatch(/^enter keep the filter {2}esc end it/);
});

const MESSAGES: readonly HeldMessage[] = ['one', 'two'].map((id) => ({
  id,
  worker: 'adam',
  purpose: 'message',
  text: wideText,
  state: 'held',
  reason: wideText,
  created_ms: 0,
}));

describe.each(SIZES)('at %i×%i', (columns, rows) => {
  const size = { columns, rows };

  test.each<[string, (played: Played) => Played]>([
    ['the list', (played) => played],
    ['the work', (played) => played.press('G', 'g', 'j', 'j').seesWork()],
    ['the pane', (played) => played.press('right').seesWork()],
    ['the work that lands', (played) => played.press('G', 'g', 'j', 'j').seesWork().press('a').seesWork()],
    ['the help', (played) => played.press('?')],
    ['the costs', (played) => played.press('$')],
    ['the queue', (played) => played.press('q').on({ kind: 'queue', tasks: [], messages: MESSAGES })],
    ['a question', (played) => played.press('1')],
    ['a text', (played) => played.press('n').type(`${'long '.repeat(80)}end`)],
    ['no worker', (played) => played.on({ kind: 'status', report: aReport([]) })],
  ])('%s fills the screen exactly', (_, act) => {
    const { screen } = act(new Played(FLEET, size, [aRun('swarm-1', [{ text: wideText }])]));
    expect(screen).toHaveLength(rows);
    for (const line of screen) expect(measureWidth(line), line).toBeLessThanOrEqual(columns);
  });

  test('shows the counts, what needs a person, and the keys for it', () => {
    const screen = new Played(FLEET, size).screen;
    const text = screen.join('\n');
    expect(text).toContain('1 asks · 1 failed · 1 to review · 24 working · 23 idle');
    expect(text.indexOf('eve')).toBeLessThan(text.indexOf('adam'));
    expect(text).toMatch(/adam +new work/);
    expect(screen.at(-1)).toMatch(/^1…2 answer {2}enter attach/);
    expect(screen.at(-2)).toMatch(/^› n: a task/);
  });

  test('what agents write moves nothing and hides nothing', () => {
    const evil = asking('eve', [wideText]);
    const screen = new Played([{ ...evil, current_prompt: wideText, last_message: wideText }], size).press('1').screen;
    for (const line of screen) expect(line).not.toMatch(/[\u001b\u202e\n\t]/);
  });
});

test('a terminal that is too small shows the list, or the pane that has the focus', () => {
  const size = { columns: 40, rows: 8 };
  const played = new Played([toReview('adam')], size);
  expect(played.screen.join('\n')).toMatch(/adam +new work/);
  expect(played.press('right').seesWork().screen.join('\n')).toContain('const before = 1');
  expect(new Played([toReview('adam')], { columns: 1, rows: 1 }).screen).toHaveLength(1);
});

test('fifty workers have one line each, and the selected one is always visible', () => {
  const played = new Played(FLEET, { columns: 100, rows: 30 });
  for (let step = 0; step < 49; step += 1) {
    played.press('j');
    const name = played.view.selected?.replace('worker:', '') ?? '';
    expect(played.screen.find((line) => line.startsWith('▌'))).toContain(name);
  }
});

test('work to review shows its size, and the last sentence of its agent behind it', () => {
  const work = { insertions: 12, deletions: 3, files: 4 };
  const rows = (said: string | null) =>
    new Played([toReview('adam', { work, last_message: said })], { columns: 80, rows: 24 }).screen.join('\n');
  expect(rows('I read it.\nAll tests pass.')).toContain('+12 −3, 4 files · All tests pass.');
  expect(rows(null)).toMatch(/▌ +\+12 −3, 4 files *\n/);
});

test('the whole command of a permission is shown before it is answered', () => {
  const command = `curl ${'x'.repeat(300)} | sh`;
  const eve = asking('eve');
  const shown = new Played([{ ...eve, asks: anAsk({ command, question: 'Proceed?' }) }]).press('2').screen;
  expect(shown.join('').replace(/\s/g, '')).toContain(command.replace(/\s/g, ''));
  expect(shown.join('\n')).toMatch(/▶ 2 No/);
});

test('the supervisor is lost, and what is under way and what failed are said', () => {
  const played = new Played([toReview('adam')]).on({ kind: 'lost', why: 'the supervisor does not answer' });
  expect(played.screen[0]).toContain('the supervisor does not answer');
  played.seesWork().press('a');
  const [effect] = played.effects;
  if (effect === undefined) throw new Error('no effect');
  expect(played.on({ kind: 'progress', effect, line: 'npm test' }).screen.join('\n')).toContain('adam: landing …  npm test');
  played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'It failed', hint: 'llmc why adam' }, isOutdated: false });
  expect(played.screen.join('\n')).toContain('It failed  → llmc why adam');
});

test('a click selects, opens a tab, or begins a task', () => {
  const played = new Played([aWorkerReport('a'), aWorkerReport('b')]);
  const row = played.screen.findIndex((line) => line.includes(' b '));
  expect(hitAt(played.view, 3, row)).toEqual({ kind: 'item', key: 'worker:b' });
  expect(hitAt(played.view, 3, 2)).toEqual({ kind: 'list' });
  const column = played.screen[2]?.indexOf('why') ?? 0;
  expect(hitAt(played.view, column, 2)).toEqual({ kind: 'tab', tab: 'why' });
  expect(hitAt(played.view, 3, 38)).toEqual({ kind: 'task' });
  played.on({ kind: 'mouse', action: 'press', hit: { kind: 'item', key: 'worker:b' } });
  expect(played.view.selected).toBe('worker:b');
  expect(played.on({ kind: 'mouse', action: 'wheel-up', hit: { kind: 'list' } }).view.selected).toBe('worker:a');
});

test('j and k scroll a question that is longer than the screen', () => {
  const long = asking('eve');
  const command = Array.from({ length: 60 }, (_, index) => `echo ${index}`).join('\n');
  const asks = long.asks === null ? null : { ...long.asks, command };
  const played = new Played([{ ...long, asks }], { columns: 80, rows: 24 }).press('1');
  const before = played.screen;
  expect(played.press('j').screen).not.toEqual(before);
  expect(played.press('k').screen).toEqual(before);
});
