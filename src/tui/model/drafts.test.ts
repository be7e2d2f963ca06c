import { describe, expect, test } from 'vitest';
import type { CommentDraft, KeptDraft } from '../../store/tables/drafts.ts';
import { SAMPLE_DIFF, sampleWork } from '../diff/samples.ts';
import { aReport, NOW, Played, toReview } from '../samples.ts';
import { reportIn } from './view.ts';

const QUOTED = "const greeting = 'hello';";
const stored = (id: string, changes: Partial<CommentDraft> = {}): KeptDraft => ({
  id,
  draft: { kind: 'comment', path: 'src/a.ts', side: 'new', from: 2, to: 2, quoted: QUOTED, text: 'Spell it', ...changes },
});

/** Work arrives from the disk, with the drafts that are there. */
function arrives(played: Played, drafts: readonly KeptDraft[], diff = SAMPLE_DIFF): Played {
  const seen = { head: 'c0ffee', diff, message: 'Message', proof: null, isWhole: true };
  return played.on({ kind: 'work', of: 'worker:adam', shown: sampleWork({ diff }), seen, drafts }).on({ kind: 'shown' });
}

const opened = (drafts: readonly KeptDraft[] = [], diff = SAMPLE_DIFF) => {
  const played = arrives(new Played([toReview('adam'), toReview('ben')]), drafts, diff);
  played.now += 400;
  return played;
};

const comments = ({ view: { pane } }: Played) => (pane?.content.kind === 'diff' ? pane.content.diff.comments : []);
const drafts = ({ effects }: Played) => effects.flatMap((effect) => (effect.kind === 'draft' ? [[effect.id, effect.draft]] : []));
const commented = () => opened().press('right', 'J', 'j', 'j', 'j', 'c').type('Why?').press('enter');

describe('what is written is stored', () => {
  test('as soon as it is written, changed or deleted', () => {
    const played = commented();
    expect(drafts(played)).toEqual([['view-0', expect.objectContaining({ path: 'src/a.ts', to: 2, quoted: QUOTED, text: 'Why?' })]]);
    played.press('c').type(' Really?').press('enter', 'x');
    expect(drafts(played).slice(1)).toEqual([
      ['view-0', expect.objectContaining({ text: 'Why? Really?' })],
      ['view-0', null],
    ]);
  });

  test('every second also while it is typed; escape takes that back', () => {
    const played = opened().press('right', 'J', 'c').type('Half').on({ kind: 'tick' }).on({ kind: 'tick' });
    expect(drafts(played)).toEqual([['view-0', expect.objectContaining({ text: 'Half' })]]);
    expect(drafts(played.press('escape')).slice(1)).toEqual([['view-0', null]]);
    const edited = opened([stored('a')])
      .press('right', 'J', 'j', 'j', 'j', 'c')
      .type('!')
      .on({ kind: 'tick' })
      .press('escape');
    expect(drafts(edited).map(([, draft]) => draft)).toEqual([
      expect.objectContaining({ text: 'Spell it!' }),
      expect.objectContaining({ text: 'Spell it' }),
    ]);
    expect(comments(edited)).toMatchObject([{ id: 'a', text: 'Spell it' }]);
  });

  test.each(['escape', 'ctrl+c'])('%s keeps the words for the next c on the same line, which does not store them by itself', (key) => {
    const played = opened().press('right', 'J', 'j', 'c').type('Half').press(key);
    expect(played.view.notice?.text).toBe('The comment was left out. c on the same line has its words again.');
    expect([comments(played), drafts(played)]).toEqual([[], []]);
    const fieldAt = (...keys: string[]) => (played.press(...keys).view.mode.kind === 'typing' ? played.view.mode : undefined);
    expect(fieldAt('j', 'c')).toMatchObject({ field: { text: '' } });
    expect(fieldAt('escape', 'k', 'c')).toMatchObject({ field: { text: 'Half' } });
    expect(played.press('enter').view.notice).toBeUndefined();
    expect(drafts(played)).toEqual([[expect.any(String), expect.objectContaining({ text: 'Half' })]]);
    expect(fieldAt('c')).toMatchObject({ field: { text: 'Half' } });
    expect(played.type('!').press(key).view.mode.kind).toBe('browse');
    expect(comments(played)).toMatchObject([{ text: 'Half' }]);
    expect(fieldAt('c')).toMatchObject({ field: { text: 'Half!' } });
  });

  test('the words of a field that was left are not those of the next work on the same line', () => {
    const played = opened().press('right', 'J', 'j', 'c').type('Half').press('escape');
    played.on({ kind: 'status', report: aReport([toReview('adam', { work_id: 'next' }), toReview('ben')]) });
    expect(played.press('c').view.mode).toMatchObject({ kind: 'typing', field: { text: '' } });
  });

  test('at once when the terminal is closed: what is typed, and what could not be stored before', () => {
    const played = commented();
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'the disk is full' }, isOutdated: false });
    played.press('j', 'c').type('Half');
    expect(drafts(played.on({ kind: 'closing' })).slice(1)).toEqual([
      ['view-1', expect.objectContaining({ text: 'Half' })],
      ['view-0', expect.objectContaining({ text: 'Why?' })],
    ]);
  });

  test('again after a failure, which is said', () => {
    const played = commented();
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'the disk is full' }, isOutdated: false });
    expect(played.view.notice?.text).toBe('What you wrote is not on the disk yet: the disk is full');
    played.now += 6_000;
    expect(played.on({ kind: 'tick' }).effects.filter(({ kind }) => kind === 'draft')).toEqual([effect, effect]);
    expect(comments(played)).toMatchObject([{ text: 'Why?' }]);
  });

  test('never again if its worker is gone: the text is shown', () => {
    const played = commented();
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    const notice = { tone: 'bad', text: 'there is no worker adam' } as const;
    played.on({ kind: 'failed', effect, notice, isOutdated: false, isFinal: true });
    const text = 'What you wrote cannot be stored: there is no worker adam\n\nWhy?';
    expect(played.view.mode).toMatchObject({ kind: 'output', text });
    played.now += 6_000;
    expect(drafts(played.on({ kind: 'tick' }))).toHaveLength(1);
    expect(played.press('escape', 'Q').asked.at(-1)).toBe('quit');
  });

  test('until the landing under way is over, and shown if it has ended them', () => {
    const played = commented();
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    played.on({ kind: 'done', effect, isLanding: true });
    played.now += 60_000;
    expect(drafts(played.on({ kind: 'tick' }))).toHaveLength(2);
    const again = played.effects.at(-1) ?? effect;
    played.on({ kind: 'done', effect: again, isLanding: true });
    const notice = { tone: 'bad', text: 'the work of adam is over' } as const;
    played.now += 6_000;
    played.on({ kind: 'tick' });
    played.on({ kind: 'failed', effect: played.effects.at(-1) ?? again, notice, isOutdated: false, isFinal: true });
    expect(played.view.mode).toMatchObject({ kind: 'output', text: 'What you wrote cannot be stored: the work of adam is over\n\nWhy?' });
  });

  test('and not tried again once the landing has failed', () => {
    const played = commented();
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    // It is on the disk: nobody is asked.
    expect(played.on({ kind: 'done', effect, isLanding: true }).press('Q').asked).toEqual(['quit']);
    played.now += 6_000;
    played.on({ kind: 'tick' });
    played.on({ kind: 'done', effect: played.effects.at(-1) ?? effect, isLanding: false });
    played.now += 60_000;
    expect(drafts(played.on({ kind: 'tick' }))).toHaveLength(2);
  });

  test('before the view ends, or the view asks', () => {
    const played = commented();
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    expect(played.press('Q').view.mode).toMatchObject({
      question: 'What you wrote about adam is not on the disk yet and would be lost. Leave?',
    });
    const notice = { tone: 'bad', text: 'the disk is full' } as const;
    played.press('n').on({ kind: 'failed', effect, notice, isOutdated: false });
    expect(played.press('Q').view.mode.kind).toBe('confirm');
    expect(played.asked).toEqual([]);
    expect(played.press('n').on({ kind: 'done', effect }).press('Q').asked).toEqual(['quit']);
  });

  test('and the view ends by itself as soon as it is, if a person wanted to leave', () => {
    const played = commented();
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    expect(played.press('Q').asked).toEqual([]);
    expect(played.on({ kind: 'done', effect }).asked).toEqual(['quit']);
  });

  test('about the worker whose line it is, also if another one is on the screen when it ends', () => {
    const played = opened().press('right', 'J', 'c').type('For adam');
    const report = reportIn(played.view);
    if (report === undefined) throw new Error('no report');
    const without = { ...report, workers: [toReview('ben')] };
    played
      .on({ kind: 'status', report: without })
      .on({ kind: 'work', of: 'worker:ben', shown: sampleWork({ diff: SAMPLE_DIFF }), seen: undefined });
    expect(played.press('enter').effects).toMatchObject([{ kind: 'draft', worker: 'adam', draft: { text: 'For adam' } }]);
    expect(comments(played)).toEqual([]);
  });
});

describe('what is stored is shown', () => {
  test('at its line, also after a rebase; without its line at its file, with the old line', () => {
    expect(comments(opened([stored('a')]))).toMatchObject([{ id: 'a', to: 2, isLost: false }]);
    const rebased = SAMPLE_DIFF.replace('@@ -1,4 +1,4 @@', '@@ -11,4 +11,4 @@');
    expect(comments(opened([stored('a')], rebased))).toMatchObject([{ to: 12, isLost: false }]);
    const gone = opened([stored('a')], SAMPLE_DIFF.replace("'hello'", "'good day'"));
    expect(gone.screen.join('\n')).toMatch(/Its line has changed: it was line 2 "const greeting = 'hello';"/);
    expect(gone.screen.join('\n')).toMatch(/Spell it/);
  });

  test('with those of another view; what this one has just written or deleted counts more than an old list', () => {
    const played = arrives(commented(), [stored('other', { to: 3, quoted: '// the end' })]);
    expect(comments(played).map(({ id }) => id)).toEqual(['other', 'view-0']);
    arrives(played.press('x'), [stored('view-0', { text: 'Why?' })]);
    expect(comments(played).map(({ id }) => id)).toEqual([]);
  });

  test('until it is deleted or sent elsewhere', () => {
    expect(comments(arrives(opened([stored('a')]), []))).toEqual([]);
  });

  test.each(['escape', 'enter'])('until it is sent elsewhere, also after %s has closed its field', (key) => {
    const played = opened([stored('a')]).press('right', 'J', 'j', 'j', 'j', 'c');
    // The text that is being typed stays, whatever the disk says.
    expect(comments(arrives(played, []))).toMatchObject([{ id: 'a' }]);
    const { reloads } = played.view;
    played.press(key);
    expect(played.view.reloads).toBeGreaterThan(reloads);
    expect(comments(arrives(played, []))).toEqual([]);
    expect(played.view.commented.size).toBe(0);
  });
});

describe('r and a', () => {
  test('r before the comments were loaded shows them first', () => {
    const played = new Played([toReview('adam', { draft_comments: 2 })], { columns: 80, rows: 24 }).press('shift+tab', 'r');
    expect(played.view).toMatchObject({ tab: 'diff', notice: { text: 'adam has 2 draft comments. Press r again to send them.' } });
    expect(played.view.mode.kind).toBe('browse');
  });

  test('r sends what was stored; what is written meanwhile stays', () => {
    const played = opened([stored('a'), stored('b', { to: 3, quoted: '// the end' })]).press('r', 'enter');
    const [effect] = played.decided;
    expect(effect).toMatchObject({
      kind: 'reject',
      drafts: [
        { id: 'a', text: 'Spell it' },
        { id: 'b', text: 'Spell it' },
      ],
    });
    if (effect === undefined) throw new Error('no effect');
    played.press('k');
    arrives(played, [stored('a'), stored('b'), stored('c')]);
    played.on({ kind: 'done', effect });
    expect(comments(played).map(({ id }) => id)).toEqual(['c']);
    // A list that was read before the rejection was recorded.
    expect(comments(arrives(played, [stored('a'), stored('b'), stored('c')])).map(({ id }) => id)).toEqual(['c']);
  });

  test('a comment of which a newer text was not sent stays, and is loaded again', () => {
    const played = opened([stored('a'), stored('b', { to: 3, quoted: '// the end' })]).press('r', 'enter');
    const [effect] = played.decided;
    if (effect === undefined) throw new Error('no effect');
    const { reloads } = played.press('k').view;
    arrives(played, [stored('a'), stored('b')]);
    played.on({ kind: 'done', effect, changedDrafts: ['a'] });
    expect(played.view.reloads).toBe(reloads + 1);
    expect(comments(arrives(played, [stored('a', { text: 'Spell it out' })]))).toMatchObject([{ id: 'a', text: 'Spell it out' }]);
  });

  test('a asks once before comments are lost, and lands after y alone', () => {
    const played = opened([stored('a')]).press('a');
    expect(played.view.mode).toMatchObject({ question: '1 draft comment would never be sent (r sends). Land the work of adam without?' });
    expect(played.decided).toEqual([]);
    expect(played.press('n').decided).toEqual([]);
    expect(played.press('a', 'y').decided).toMatchObject([{ kind: 'accept', worker: 'adam' }]);
    expect(played.view).toMatchObject({ selected: 'worker:ben', now: NOW + 400 });
  });
});

describe('what is typed about work that is over is not sent about the next one', () => {
  const next = (played: Played) => played.on({ kind: 'status', report: aReport([{ ...toReview('adam'), work_id: '1/8' }]) });
  const first = () => new Played([{ ...toReview('adam'), work_id: '1/7' }]).seesWork();

  test('a comment: it is neither stored while it is typed nor by enter, and stays in its field', () => {
    const played = next(first().press('right', 'J', 'c').type('About seven'));
    const before = played.effects.length;
    played.now += 2_000;
    played.on({ kind: 'tick' }).press('enter');
    expect(played.effects.slice(before).filter(({ kind }) => kind === 'draft')).toEqual([]);
    expect(played.view).toMatchObject({ mode: { kind: 'typing', field: { text: 'About seven' } }, notice: { tone: 'bad' } });
    played.press('escape');
    expect(played.effects.slice(before).filter(({ kind }) => kind === 'draft')).toEqual([]);
  });

  test('the words of a rejection', () => {
    const played = next(first().press('r').type('Worse than seven')).press('enter');
    expect(played.asked.filter((kind) => kind === 'reject')).toEqual([]);
    expect(played.view).toMatchObject({ mode: { kind: 'typing', field: { text: 'Worse than seven' } }, notice: { tone: 'bad' } });
  });

  test('a commit message from the editor', () => {
    const edited = { kind: 'commit', worker: 'adam', work: '1/7', now: 'Seven', instead: 'Seven' } as const;
    const played = next(first()).on({ kind: 'edited', edited, text: 'Seven, edited' });
    expect(played.effects.filter(({ kind }) => kind === 'draft')).toEqual([]);
    expect(played.screen.join('\n')).toContain('Seven, edited');
  });
});
