import { describe, expect, test } from 'vitest';
import { NOW, Played, toReview } from '../samples.ts';
import { highlighted } from './find.ts';
import { emptyView } from './view.ts';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 50 },
] as const;

const LINES = Array.from({ length: 100 }, (_, index) => `entry ${index + 1}${index % 40 === 10 ? ' Needle' : ''}`);
const text = { kind: 'text', make: () => LINES.map((line) => [{ text: line }]) } as const;

const inDiff = (size = { columns: 120, rows: 40 }) => new Played([toReview('adam')], size).seesWork().press('right');
const inTalk = () =>
  new Played([toReview('adam')], { columns: 80, rows: 24 })
    .press('tab')
    .on({ kind: 'pane', of: 'worker:adam', tab: 'talk', content: text })
    .press('right');
const search = (played: Played, words: string) => played.press('/').type(words).press('enter');
const cursor = ({ view: { pane } }: Played) => {
  const diff = pane?.content.kind === 'diff' ? pane.content.diff : undefined;
  const entry = diff?.entries[diff.cursor];
  return entry?.kind === 'line' ? `${entry.line.sign}${entry.line.text}` : entry?.kind;
};

describe('search in a diff', () => {
  test.each(SIZES)('at $columns×$rows: goes to the match, counts, marks it, and goes round the end', (size) => {
    const played = search(inDiff(size), 'greeting');
    expect(cursor(played)).toBe("-const greeting = 'helo';");
    expect(played.screen.join('\n')).toContain('/greeting 1/3');
    expect([cursor(played.press('n')), cursor(played.press('n'))]).toEqual(["+const greeting = 'hello';", '+export { greeting };']);
    expect(played.screen.join('\n')).toContain('/greeting 3/3');
    expect(cursor(played.press('n'))).toBe("-const greeting = 'helo';");
    expect(played.view.notice?.text).toBe('The search went round the end.');
    expect(cursor(played.press('N'))).toBe('+export { greeting };');
  });

  test('a comment is found at its line, and marked', () => {
    const commented = inDiff().press('J', 'j', 'j', 'j', 'c').type('Spell the zebra').press('enter', 'g');
    expect(cursor(search(commented, 'zebra'))).toBe("+const greeting = 'hello';");
    expect(commented.screen.join('\n')).toContain('/zebra 1/1');
    // It is deleted: the cursor is at its line.
    expect(search(commented.press('x', 'escape'), 'zebra').view.notice?.text).toBe('Nothing here has "zebra".');
  });

  test('n and N are the keys of the list and the diff again after escape, which stays in the pane', () => {
    const played = search(inDiff(), 'greeting').press('escape');
    expect(played.view).toMatchObject({ found: undefined, focus: 'pane' });
    expect(cursor(played.press('N'))).toBe('file');
    expect(played.press('n').view.mode).toMatchObject({ kind: 'typing', asked: { kind: 'task' } });
  });

  test('case counts if a capital was typed; what is not there is said, and changes nothing', () => {
    const played = search(inDiff(), 'CONST');
    expect(played.view).toMatchObject({ found: undefined, notice: { text: 'Nothing here has "CONST".' } });
    expect(cursor(played)).toBe('file');
    expect(cursor(search(played, 'const BEFORE'.toLowerCase()))).toBe(' const before = 1;');
  });

  test('the footer names the keys of the search', () => {
    expect(search(inDiff(), 'greeting').screen.at(-1)).toMatch(/n\/N next or previous match {2}esc end the search/);
    expect(search(inDiff(), 'greeting').screen.at(-1)).not.toMatch(/n task/);
  });
});

test('a long text is searched too: the match is on the screen, below two lines of context', () => {
  const played = search(inTalk(), 'needle');
  expect(played.screen.join('\n')).toMatch(/\/needle 1\/3 adam\nentry 9\nentry 10\nentry 11 Needle/);
  expect(played.press('n').screen.join('\n')).toMatch(/\/needle 2\/3 adam\nentry 49\nentry 50\nentry 51 Needle/);
  expect(played.press('N', 'N').screen.join('\n')).toMatch(/entry 91 Needle/);
});

test('another pane and another worker are not searched; in the list, / is the filter', () => {
  const played = search(inDiff(), 'greeting').press('tab');
  expect(played.screen.join('\n')).not.toContain('/greeting');
  expect(played.press('escape').view.focus).toBe('list');
  expect(played.press('/').view.mode).toMatchObject({ asked: { kind: 'filter' } });
});

describe('zoom', () => {
  test.each(SIZES)('at $columns×$rows: the pane alone, and back in two steps', (size) => {
    const played = new Played([toReview('adam'), toReview('ben')], size).seesWork().press('z');
    const zoomed = played.screen;
    expect(zoomed).toHaveLength(size.rows);
    expect(zoomed[1]).toMatch(/^ screen .*zoomed · adam$/);
    expect(zoomed.join('\n')).not.toMatch(/NEEDS YOU/);
    expect(played.press('escape').view).toMatchObject({ zoomed: false, focus: 'pane' });
    expect(played.press('escape').view).toMatchObject({ zoomed: false, focus: 'list' });
    expect(played.screen.join('\n')).toMatch(/NEEDS YOU/);
    expect(played.press('z', 'z').view).toMatchObject({ zoomed: false, focus: 'pane' });
  });

  test('a decision goes on to the next work, which is zoomed too', () => {
    const played = new Played([toReview('adam'), toReview('ben')]).press('z').seesWork('111').press('a');
    expect(played.decided).toMatchObject([{ kind: 'accept', worker: 'adam' }]);
    expect(played.view).toMatchObject({ selected: 'worker:ben', zoomed: true, focus: 'pane' });
  });

  test('a view opens without it', () => {
    expect(emptyView({ columns: 80, rows: 24 }, NOW, []).zoomed).toBe(false);
  });
});

describe('e edits the commit message', () => {
  const edited = (played: Played, text: string) => {
    const [effect] = played.press('e').effects.slice(-1);
    if (effect?.kind !== 'edit') throw new Error('no editor');
    return played.on({ kind: 'edited', edited: effect.edited, text });
  };

  test('and stores it; the same or an empty one changes nothing', () => {
    const played = edited(inDiff(), 'Greet\n\n#12 asked for it.\n');
    expect(played.effects.at(-1)).toEqual({
      kind: 'draft',
      worker: 'adam',
      work: null,
      id: 'message:adam',
      draft: { kind: 'message', text: 'Greet\n\n#12 asked for it.', instead: 'Fix the greeting\n\nIt was misspelt.' },
    });
    for (const text of ['', ' \n', 'Fix the greeting\n\nIt was misspelt.']) {
      const same = edited(inDiff(), text);
      expect([same.effects.at(-1)?.kind, same.view.notice?.text]).toEqual(['edit', 'The message stays as it was.']);
    }
  });

  test('the work is loaded again with it, and a work that is not there has none', () => {
    const played = edited(inDiff(), 'Greet');
    const effect = played.effects.at(-1);
    if (effect === undefined) throw new Error('no effect');
    const { reloads } = played.view;
    expect(played.on({ kind: 'done', effect }).view.reloads).toBe(reloads + 1);
    expect(new Played([toReview('adam')]).press('e').view.notice?.tone).toBe('bad');
  });

  test('in the other panes it is the evidence', () => {
    expect(new Played([toReview('adam')]).press('tab', 'tab', 'e').view.withEvidence).toBe(true);
  });
});

test('a match is inverse, also across spans, and the text stays as it is', () => {
  const line = highlighted([{ text: 'a Ne' }, { text: 'edle, a needle', style: { dim: true } }], 'needle');
  expect(line.map(({ text: part }) => part).join('')).toBe('a Needle, a needle');
  expect(line.filter(({ style }) => style?.inverse).map(({ text: part }) => part)).toEqual(['Ne', 'edle', 'needle']);
});
