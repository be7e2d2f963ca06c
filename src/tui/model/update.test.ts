import { describe, expect, test } from 'vitest';
import { anAsk, aRun, asking, aWorkerReport, type Given, Played, toReview } from '../samples.ts';
import type { Effect, SeenWork } from './effect.ts';
import { reportIn } from './view.ts';

const working = (name: string) => aWorkerReport(name, { status: 'working', current_prompt: 'Something long' });

describe('what is selected', () => {
  test('on start, what has waited for a person the longest', () => {
    const late = toReview('late', { last_activity_unix: 2_000 });
    expect(new Played([aWorkerReport('idle'), working('busy'), late, toReview('early', { last_activity_unix: 1_000 })]).view).toMatchObject(
      {
        selected: 'worker:early',
        tab: 'diff',
      },
    );
  });

  test('questions of workers and runs stand before work to review', () => {
    const played = new Played([toReview('adam'), asking('eve')], undefined, [aRun('swarm-1', [{}])]);
    const order = [played.view.selected, played.press('j').view.selected, played.press('j').view.selected, played.press('j').view.selected];
    expect(order.slice(0, 2).toSorted()).toEqual(['question:swarm-1#1', 'worker:eve']);
    expect(order.slice(2)).toEqual(['worker:adam', 'run:swarm-1']);
  });

  test.each<[string, readonly string[], string]>([
    ['down and up', ['j', 'down', 'k'], 'worker:b'],
    ['not beyond the end', ['G', 'j', 'j'], 'worker:c'],
    ['not beyond the beginning', ['G', 'home', 'up'], 'worker:a'],
  ])('%s', (_, keys, expected) => {
    expect(new Played([aWorkerReport('a'), aWorkerReport('b'), aWorkerReport('c')]).press(...keys).view.selected).toBe(expected);
  });

  test('stays on the same worker when the list changes its order, and takes its place when it is gone', () => {
    const played = new Played([working('a'), working('b'), working('c')]).press('j');
    const report = reportIn(played.view);
    if (report === undefined) throw new Error('no report');
    played.on({ kind: 'status', report: { ...report, workers: [working('a'), working('c'), toReview('b')] } });
    expect(played.view).toMatchObject({ selected: 'worker:b', tab: 'screen' });
    played.on({ kind: 'status', report: { ...report, workers: [working('a'), working('c')] } });
    expect(played.view.selected).toBe('worker:a');
  });

  test('the filter narrows the list as it is typed, and escape ends it', () => {
    const played = new Played([working('adam'), aWorkerReport('ben')]).press('/').type('BEN');
    expect(played.view).toMatchObject({ filter: 'BEN', selected: 'worker:ben' });
    expect(played.press('enter').view.mode.kind).toBe('browse');
    expect(played.view.filter).toBe('BEN');
    expect(played.press('escape').view.filter).toBe('');
  });
});

describe('accept', () => {
  test('two keystrokes for two works: each lands what was on the screen, and the next one is shown', () => {
    const played = new Played([toReview('adam'), toReview('ben')]).seesWork('111').press('a');
    expect(played.effects).toEqual([{ kind: 'accept', worker: 'adam', seen: expect.objectContaining({ head: '111' }) }]);
    expect(played.view).toMatchObject({ selected: 'worker:ben', tab: 'diff' });
    expect(played.seesWork('222').press('a').effects[1]).toMatchObject({ worker: 'ben', seen: { head: '222' } });
  });

  test('work that the whole head covers does not land: a shows it first', () => {
    const played = new Played([toReview('adam')]).seesWork('111').press('right', 'o', 'a');
    expect([played.effects, played.view.notice?.text]).toEqual([[], 'This is the work of adam. Press a again to land it.']);
    played.on({ kind: 'shown' });
    played.now += 400;
    expect(played.press('a').effects).toEqual([{ kind: 'accept', worker: 'adam', seen: expect.objectContaining({ head: '111' }) }]);
  });

  test('an answer is put away, and what needs a person next is selected', () => {
    const played = new Played([toReview('adam', { attention_kind: 'answer' }), toReview('ben')]).press('d');
    expect([played.effects, played.view.tab, played.view.notice?.text]).toEqual([
      [],
      'diff',
      'This is the answer of adam. Press d again to dismiss it.',
    ]);
    played.seesWork().press('d');
    expect(played.effects).toEqual([{ kind: 'dismiss', worker: 'adam' }]);
    expect(played.view.selected).toBe('worker:ben');
  });

  test.each<[string, (played: Played) => Played]>([
    ['that has not arrived', (played) => played],
    [
      'that arrived and was not drawn',
      (played) => played.on({ kind: 'pane', of: 'worker:adam', tab: 'diff', content: { kind: 'loading' } }),
    ],
    ['that appeared this moment: the key was typed before', (played) => played.seesWork('111', 50)],
    ['that changed while it was shown', (played) => played.seesWork('111').seesWork('222', 0, { diff: 'another' })],
    ['of a worker that asks', (played) => played.on({ kind: 'status', report: reportOf(asking('adam')) })],
  ])('lands no work %s', (_, before) => {
    const played = before(new Played([toReview('adam')])).press('a');
    expect(played.asked).not.toContain('accept');
    expect(played.view.notice?.tone).toBe('bad');
  });

  test('from another pane shows the diff first', () => {
    const played = new Played([toReview('adam')]).press('shift+tab');
    expect(played.view.tab).toBe('screen');
    expect(played.press('a').view.tab).toBe('diff');
    expect(played.asked).toEqual([]);
  });

  test('a second decision about the same worker waits for the first', () => {
    const played = new Played([toReview('adam')]).seesWork().press('a').press('a');
    expect(played.asked).toEqual(['accept']);
    expect(played.view.notice?.text).toBe('adam: landing is not over yet. Wait for it.');
  });

  test('work that is landing is not asked to be looked at again, also while the pane has nothing', () => {
    const played = new Played([toReview('adam')]).seesWork().press('a', 'tab', 'shift+tab');
    expect(played.view.pane).toBeUndefined();
    expect(played.press('a').view.notice?.text).toBe('adam: landing is not over yet. Wait for it.');
  });

  test('work that lands from elsewhere says so above its lines', () => {
    const landing = { attention_kind: 'landing', attention: 'Landing: npm test, 40s' } as const;
    const played = new Played([toReview('adam')]).seesWork('111');
    played.on({ kind: 'status', report: reportOf(toReview('adam', landing)) });
    expect(played.screen[3]).toMatch(/│Landing: npm test, 40s/);
    expect(played.screen.join('\n')).toMatch(/const greeting = 'hello'/);
    expect(played.press('tab').screen[3]).not.toMatch(/Landing/);
  });

  test('work that is landing stays in its pane, below a line that says so, also after a look at something else', () => {
    const played = new Played([toReview('adam'), toReview('ben')]).seesWork('111').press('a');
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    played.on({ kind: 'progress', effect, line: 'npm test' }).press('k');
    played.on({ kind: 'pane', of: 'worker:adam', tab: 'diff', content: { kind: 'loading' } });
    const [, , , line] = played.screen;
    expect(line).toMatch(/│adam: landing … {2}npm test/);
    expect(played.screen.join('\n')).toMatch(/const greeting = 'hello'/);
    expect(played.press('tab').screen[3]).not.toMatch(/landing/);
    played.on({ kind: 'done', effect }).press('shift+tab');
    played.on({ kind: 'pane', of: 'worker:adam', tab: 'diff', content: { kind: 'loading' } });
    expect(played.view.pane?.content).toEqual({ kind: 'loading' });
    expect(played.screen[3]).toMatch(/│loading …/);
  });

  test('work that could not land was on the screen all the time, and may be tried again', () => {
    const played = new Played([toReview('adam')]).seesWork('111').press('a', 'tab', 'shift+tab');
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    played.on({ kind: 'pane', of: 'worker:adam', tab: 'diff', content: { kind: 'loading' } });
    played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'npm test failed' }, isOutdated: false });
    expect(played.press('a').asked).toEqual(['accept']);
    expect(played.seesWork('111').press('a').effects).toEqual([effect, effect]);
  });

  test('work that could not be loaded is loaded again', () => {
    const played = new Played([toReview('adam')]);
    played.on({ kind: 'pane', of: 'worker:adam', tab: 'diff', content: { kind: 'failed', text: 'locked', hint: undefined } });
    const { reloads } = played.view;
    expect(played.press('a').view).toMatchObject({ reloads: reloads + 1, notice: { tone: 'bad' } });
    expect(played.asked).toEqual([]);
  });

  test.each<[string, Partial<SeenWork>, readonly string[]]>([
    ['the same work', {}, ['accept']],
    ['another diff', { diff: 'another' }, []],
    ['another message', { message: 'Another' }, []],
    ['a diff that leaves something out', { isWhole: false }, []],
  ])('another commit with %s, as after a rebase, that appears just before the key', (_, changes, asked) => {
    expect(new Played([toReview('adam')]).seesWork('111').seesWork('222', 10, changes).press('a').asked).toEqual(asked);
  });

  test('work that changed after it was shown is loaded again', () => {
    const played = new Played([toReview('adam')]).seesWork().press('a');
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    const { reloads } = played.view;
    played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'changed' }, isOutdated: true });
    expect(played.view).toMatchObject({ reloads: reloads + 1, running: [], notice: { text: 'changed' } });
  });
});

const reportOf = (worker: ReturnType<typeof asking>) => {
  const report = reportIn(new Played([worker]).view);
  if (report === undefined) throw new Error('no report');
  return report;
};

describe('seen', () => {
  test('work that was on the screen for a second is reported once', () => {
    const played = new Played([toReview('adam')]).seesWork('111', 1_100).on({ kind: 'tick' }).on({ kind: 'tick' });
    expect(played.effects).toEqual([{ kind: 'mark-seen', worker: 'adam', seen: expect.objectContaining({ head: '111' }) }]);
  });

  test('a report that failed is repeated later, and disturbs nobody', () => {
    const played = new Played([toReview('adam')]).seesWork('111', 1_100).on({ kind: 'tick' });
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'locked' }, isOutdated: false }).on({ kind: 'tick' });
    expect([played.asked, played.view.notice]).toEqual([['mark-seen'], undefined]);
    played.now += 10_000;
    expect(played.on({ kind: 'tick' }).on({ kind: 'tick' }).effects).toEqual([effect, effect]);
  });

  test('work that appears on a screen without a person is not seen; the next key is from one', () => {
    const played = new Played([toReview('adam')]);
    played.now += 3_600_000;
    played.seesWork('111', 5_000).on({ kind: 'tick' });
    expect(played.asked).toEqual([]);
    expect(played.press('?', 'escape').on({ kind: 'tick' }).asked).toEqual(['mark-seen']);
  });

  test('half a second does not count, nor does work under the help', () => {
    expect(new Played([toReview('adam')]).seesWork('111', 500).on({ kind: 'tick' }).asked).toEqual([]);
    const covered = new Played([toReview('adam')]).press('?').seesWork('111', 5_000).on({ kind: 'tick' });
    expect(covered.asked).toEqual([]);
    expect(covered.press('escape', 'a').asked).toEqual([]);
  });
});

describe('reject', () => {
  const remarked = () => new Played([toReview('adam'), toReview('ben')]).seesWork().press('right', 'J', 'c').type('Why?').press('enter');
  const notes = [expect.objectContaining({ text: expect.stringContaining('Why?') })];

  test('with a comment on a line: six keystrokes and the text', () => {
    const played = remarked().press('r');
    expect(played.decided).toEqual([]);
    expect(played.press('enter').decided).toEqual([
      {
        kind: 'reject',
        worker: 'adam',
        work: null,
        feedback: 'See the remarks.',
        notes,
        words: '',
        drafts: [{ id: 'view-0', text: 'Why?' }],
      },
    ]);
    expect(played.view.selected).toBe('worker:ben');
  });

  test('a general sentence goes with the comments, in the same keystrokes', () => {
    const played = remarked().press('r').type('Almost there.').press('enter');
    expect(played.decided).toEqual([
      {
        kind: 'reject',
        worker: 'adam',
        work: null,
        feedback: 'Almost there.',
        notes,
        words: 'Almost there.',
        drafts: [{ id: 'view-0', text: 'Why?' }],
      },
    ]);
  });

  test('escape sends nothing and keeps the comments', () => {
    const played = remarked().press('r').type('Almost').press('escape');
    expect(played.decided).toEqual([]);
    expect(played.view.commented.size).toBe(1);
  });

  test('a rejection that failed keeps the comments and opens the sentence again', () => {
    const played = remarked().press('r').type('Almost there.').press('enter');
    const [effect] = played.decided;
    if (effect === undefined) throw new Error('no effect');
    played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'no' }, isOutdated: false });
    expect(played.view).toMatchObject({
      mode: { kind: 'typing', asked: { kind: 'reject', worker: 'adam', comments: 1 }, field: { text: 'Almost there.' } },
    });
    expect(played.press('enter').effects.at(-1)).toEqual(effect);
  });

  test('without comments asks for words; without words nothing is sent', () => {
    const played = new Played([toReview('adam')]).seesWork().press('r').type('No.').press('enter');
    expect(played.effects).toEqual([{ kind: 'reject', worker: 'adam', work: null, feedback: 'No.', notes: [], words: 'No.', drafts: [] }]);
    expect(new Played([toReview('adam')]).press('r', 'enter').effects).toEqual([]);
  });

  test('comments outlive a look at another worker, and end when they were sent', () => {
    const played = new Played([toReview('adam'), toReview('ben')])
      .seesWork()
      .press('c')
      .type('Why?')
      .press('enter', 'left', 'j', 'k')
      .seesWork();
    played.press('r', 'enter');
    const [effect] = played.decided;
    expect(effect).toMatchObject({ kind: 'reject', notes: [{ text: expect.stringContaining('Why?') }] });
    if (effect === undefined) throw new Error('no effect');
    const failed = { kind: 'failed', effect, notice: { tone: 'bad', text: 'no' }, isOutdated: false } as const;
    const keptBy = (event: Given) =>
      Object.assign(new Played([]), { view: played.view }).on(event).view.commented.get('worker:adam')?.comments.length;
    expect([keptBy({ kind: 'done', effect }), keptBy({ ...failed, isRecorded: true }), keptBy(failed)]).toEqual([undefined, undefined, 1]);
  });
});

describe('answers', () => {
  test('a digit marks an answer, enter sends it', () => {
    const played = new Played([asking('eve')]).press('2');
    expect(played.view.mode).toMatchObject({ kind: 'choice', marked: [2] });
    expect(played.asked).toEqual([]);
    played.now += 300;
    expect(played.press('enter').effects).toEqual([{ kind: 'answer', worker: 'eve', choice: '2', dialog: 'a1' }]);
  });

  test('enter at once is not an answer: nobody has read the question', () => {
    const played = new Played([asking('eve')]).press('1', 'enter');
    expect(played.asked).toEqual([]);
    expect(played.view.mode.kind).toBe('choice');
  });

  test('a question that is over meanwhile is not answered', () => {
    const played = new Played([asking('eve')]).press('1');
    played.now += 300;
    played.on({ kind: 'status', report: reportOf(aWorkerReport('eve', { status: 'working' })) }).press('enter');
    expect(played.asked).toEqual([]);
    expect(played.view.notice?.text).toBe('The question is no longer open.');
  });

  test('another question in its place is not answered before it was read', () => {
    const played = new Played([asking('eve')]).press('1');
    played.now += 300;
    const asks = anAsk({ id: 'b2', command: 'git push --force' });
    played.on({ kind: 'status', report: reportOf({ ...asking('eve'), asks }) }).press('enter');
    expect(played.asked).toEqual([]);
    expect(played.view).toMatchObject({ mode: { kind: 'choice' }, notice: { text: expect.stringContaining('another question') } });
    played.press('1', 'enter');
    expect(played.asked).toEqual([]);
    played.now += 300;
    expect(played.press('enter').effects).toEqual([{ kind: 'answer', worker: 'eve', choice: '1', dialog: 'b2' }]);
  });

  test('the same words under another id are another question, and nothing stays marked', () => {
    const played = new Played([asking('eve')]).press('1');
    played.now += 300;
    played.on({ kind: 'status', report: reportOf({ ...asking('eve'), asks: anAsk({ id: 'b2' }) }) }).press('enter');
    expect(played.asked).toEqual([]);
    played.now += 300;
    expect(played.press('enter').view).toMatchObject({
      mode: { kind: 'choice', marked: [] },
      notice: { text: 'Choose first, by a number.' },
    });
  });

  test('where several may be chosen, each number marks one or takes it back, and enter sends them together', () => {
    const asks = anAsk({ tool: null, command: null, question: 'Which features?', choices: ['Auth', 'Cache', 'Logs'], several: true });
    const played = new Played([{ ...asking('eve'), asks }]).press('3', '2', '1', '2');
    expect(played.screen.join('\n')).toMatch(/\[x\] 1 Auth[\s\S]*\[ \] 2 Cache[\s\S]*\[x\] 3 Logs/);
    played.now += 300;
    expect(played.press('enter').effects).toEqual([{ kind: 'answer', worker: 'eve', choice: '1,3', dialog: 'a1' }]);
  });

  test.each<[string, readonly string[], string]>([
    ['1', ['5', '3', '1'], '5'],
    ['3', ['5', '3', '1'], '1'],
    ['2', ['5', '3', '1'], '2'],
  ])('a mark beside a text that is a number means its row: %s of %j', (key, choices, choice) => {
    const asks = anAsk({ tool: null, command: null, question: 'How many?', choices });
    const played = new Played([{ ...asking('eve'), asks }]).press(key);
    played.now += 300;
    expect(played.press('enter').effects).toMatchObject([{ kind: 'answer', choice }]);
  });

  test('a dialog that llmc does not know is shown as its screen, and a digit says how to answer', () => {
    const screen = ['Auto mode cannot check actions', 'Enter to stay'];
    const known = {
      ...asking('eve'),
      asks: anAsk({ tool: null, command: null, question: 'Auto mode', choices: ['stay', 'leave'], screen }),
    };
    expect(new Played([known]).press('1').screen.join('\n')).toMatch(/Auto mode cannot check actions\s+Enter to stay\s+▶ 1 stay/);
    const unread = { ...known, asks: { ...known.asks, choices: [] } };
    expect(new Played([unread]).press('1').view).toMatchObject({ notice: { hint: expect.stringContaining('enter opens the terminal') } });
  });

  test('questions of a run: an option, or words with it', () => {
    const run = aRun('swarm-1', [{}]);
    const approved = new Played([], undefined, [run]).press('1');
    approved.now += 300;
    expect(approved.press('enter').effects).toEqual([{ kind: 'decide', run: 'swarm-1', number: 1, option: 'approve', text: undefined }]);
    const rejected = new Played([], undefined, [run]).press('2');
    rejected.now += 300;
    expect(rejected.press('enter').type('bad').press('enter').effects).toMatchObject([{ kind: 'decide', option: 'reject', text: 'bad' }]);
  });

  test.each(['3', '9'])('there is no answer %s', (key) => {
    expect(new Played([asking('eve')]).press(key).view).toMatchObject({ mode: { kind: 'browse' }, notice: { tone: 'bad' } });
  });
});

describe('what is typed', () => {
  test.each<[string, readonly string[], string, Effect]>([
    ['a task', ['n'], 'Fix it', { kind: 'task', text: 'Fix it' }],
    ['a message', ['m'], 'Go on', { kind: 'message', worker: 'adam', text: 'Go on' }],
    ['a reply', [' '], 'Go on', { kind: 'message', worker: 'adam', text: 'Go on' }],
    ['a command', [':'], 'status --json', { kind: 'command', line: 'status --json' }],
    ['a search', ['S'], 'two words', { kind: 'command', line: 'search two words' }],
    ['a search with half of a pair of quotes', ['S'], "it's late", { kind: 'command', line: `search 'it'\\''s late'` }],
  ])('%s', (_, keys, text, effect) => {
    expect(
      new Played([working('adam')])
        .press(...keys)
        .type(text)
        .press('enter').effects,
    ).toEqual([effect]);
  });

  test('a reply to a worker that asks is its answer', () => {
    expect(new Played([asking('eve')]).press(' ').type('later').press('enter').effects).toEqual([
      { kind: 'answer', worker: 'eve', choice: 'later', dialog: 'a1' },
    ]);
  });

  test('keys of the list are letters while a text is typed', () => {
    expect(new Played([toReview('adam')]).seesWork().press('n').type('a r Q 1').view.mode).toMatchObject({ field: { text: 'a r Q 1' } });
  });

  test('a task that is left is kept; one that cannot be sent is typed again', () => {
    const played = new Played([working('adam')]).press('n').type('Half').press('escape', 'n').type(' done').press('enter');
    expect(played.effects).toEqual([{ kind: 'task', text: 'Half done' }]);
    const [effect] = played.effects;
    if (effect !== undefined) played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'full disk' }, isOutdated: false });
    expect(played.view).toMatchObject({ mode: { kind: 'typing', field: { text: 'Half done' } }, notice: { text: 'full disk' } });
  });

  test.each<[string, Effect, string]>([
    ['an answer', { kind: 'answer', worker: 'eve', choice: 'later', dialog: null }, 'answer'],
    ['words for a run', { kind: 'decide', run: 'swarm-1', number: 1, option: 'reject', text: 'later' }, 'decide'],
    ['a task of the queue', { kind: 'edit-task', number: 7, text: 'later' }, 'queued'],
  ])('%s that cannot be sent is typed again', (_, effect, kind) => {
    const played = new Played([asking('eve')]);
    played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'full disk' }, isOutdated: false });
    expect(played.view.mode).toMatchObject({ kind: 'typing', asked: { kind }, field: { text: 'later' } });
  });

  test('a message that is recorded and waits is not typed again: it would be sent twice', () => {
    const effect: Effect = { kind: 'message', worker: 'adam', text: 'Go on' };
    const notice = { tone: 'bad', text: 'adam has not acknowledged the prompt yet; it stays queued' } as const;
    const played = new Played([working('adam')]).on({ kind: 'failed', effect, notice, isOutdated: false, isRecorded: true });
    expect(played.view).toMatchObject({ mode: { kind: 'browse' }, notice });
  });

  test('a number that cannot be sent is not typed again: it may mean something else by now', () => {
    const effect: Effect = { kind: 'answer', worker: 'eve', choice: '1', dialog: 'a1' };
    const played = new Played([asking('eve')]).on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'no' }, isOutdated: false });
    expect(played.view.mode).toEqual({ kind: 'browse' });
  });

  test('escape and a key right behind it, which a terminal sends as alt and that key', () => {
    const played = new Played([working('adam')]).press('n').type('one').press('alt+:').type('status').press('enter');
    expect(played.effects).toEqual([{ kind: 'command', line: 'status' }]);
    expect(played.press('n', 'alt+b').type('big ').view.mode).toMatchObject({ field: { text: 'big one' } });
  });

  test('the output of a command does not cover a text that is typed meanwhile', () => {
    const played = new Played([working('adam')]).press(':').type('status').press('enter', 'n').type('Half');
    const [effect] = played.effects;
    const opens = { kind: 'output', title: 'llmc status', text: 'x', top: 0 } as const;
    if (effect !== undefined) played.on({ kind: 'done', effect, opens });
    expect(played.view).toMatchObject({ mode: { kind: 'typing', field: { text: 'Half' } }, running: [] });
    expect(played.view.notice?.text).toMatch(/^llmc status is over/);
  });

  test('a pasted text waits as a task, whatever it says', () => {
    const played = new Played([toReview('adam')]).seesWork().on({ kind: 'pressed', pressed: { kind: 'paste', text: 'a\nQ' } });
    expect(played.effects).toEqual([]);
    expect(played.view.mode).toMatchObject({ kind: 'typing', field: { text: 'a\nQ' } });
  });
});

describe('undo', () => {
  test('shows what it would take back', () => {
    const played = new Played([working('adam')]).press('u');
    const [effect] = played.effects;
    const undo: Effect = { kind: 'undo', worker: 'adam', landing: 'l1' };
    if (effect !== undefined)
      played.on({ kind: 'done', effect, opens: { kind: 'confirm', question: 'Take it back?', effect: undo, below: { kind: 'browse' } } });
    expect(played.screen.join('\n')).toContain('Take it back? [y/N]');
    expect(played.press('y').effects[1]).toEqual(undo);
  });

  test.each([80, 120])('at %i columns, a question is shown with its end, which may be what it is about', (columns) => {
    const played = new Played([working('adam')], { columns, rows: 24 }).press('u');
    const [effect] = played.effects;
    const question =
      'Take 57817d58aaca "Round prices up to the next ten cents", the last accept of adam, back from main without its tests?';
    if (effect !== undefined)
      played.on({ kind: 'done', effect, opens: { kind: 'confirm', question, effect: { kind: 'quit' }, below: { kind: 'browse' } } });
    expect(played.screen.join(' ').replace(/\s+/g, ' ')).toContain(`${question} [y/N]`);
    expect(played.screen.every((line) => line.length <= columns)).toBe(true);
  });
});

test.each([
  ['Q', 'quit'],
  ['ctrl+c', 'quit'],
  ['ctrl+z', 'suspend'],
  ['M', 'mouse'],
  ['q', 'list-queue'],
  ['u', 'plan-undo'],
  ['d', 'dismiss'],
])('%s asks for %s', (key, kind) => {
  expect(new Played([working('adam')]).press(key).asked).toEqual([kind]);
});
