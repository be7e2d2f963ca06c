import { describe, expect, test } from 'vitest';
import type { WorkerReport } from '../../supervisor/report/status-report.ts';
import { aReport, aRun, asking, aWorkerReport, Played, toReview } from '../samples.ts';

const BLOG = '/home/a/llmc-blog';
const ROOTS = [
  { root: '', name: 'shop' },
  { root: BLOG, name: 'blog' },
];

/** Two roots, together or with the first alone. */
function two(shop: readonly WorkerReport[], blog: readonly WorkerReport[], isTogether = true): Played {
  return new Played(shop, undefined, [], ROOTS, isTogether).on({ kind: 'status', root: BLOG, report: aReport(blog) });
}

const ago = (seconds: number) => ({ last_activity_unix: 1_000_000_000 - seconds });
const working = (name: string) => aWorkerReport(name, { status: 'working' });

describe('together', () => {
  test('what needs a person first stands first, whichever root it is in', () => {
    const played = two([toReview('adam', ago(10)), working('bea')], [toReview('carl', ago(20)), asking('adam')]);
    const rows = played.screen.map((row) => /^[ ▌]([a-z]+) +(shop|blog)? ?/.exec(row)?.slice(1)).filter((row) => row !== undefined);
    expect(rows.filter(([name]) => ['adam', 'bea', 'carl'].includes(name ?? ''))).toEqual([
      ['adam', 'blog'],
      ['carl', 'blog'],
      ['adam', 'shop'],
      ['bea', undefined],
    ]);
    expect(played.screen[0]).toMatch(/^llmc 2 repositories: shop, blog +all up$/);
    expect(played.screen[1]).toContain('1 asks · 2 to review · 1 working');
  });

  test.each([
    ['on start, the first of all roots is selected, whichever reports first', [], `worker:adam${BLOG}`],
    ['a person who has selected something stays there', ['j'], 'worker:bea'],
  ])('%s', (_, keys, selected) => {
    const played = new Played([toReview('adam', ago(10)), working('bea')], undefined, [], ROOTS, true).press(...keys);
    expect(played.on({ kind: 'status', root: BLOG, report: aReport([toReview('adam', ago(20))]) }).view.selected).toBe(selected);
  });

  test('two workers of the same name: a decision is about the one on the screen, and the view goes on to the other', () => {
    const played = two([toReview('adam', ago(20))], [toReview('adam', ago(10))])
      .seesWork('111')
      .press('a');
    expect(played.effectsIn).toMatchObject([{ kind: 'accept', root: '', worker: 'adam', seen: { head: '111' } }]);
    expect(played.view).toMatchObject({ root: BLOG, selected: `worker:adam${BLOG}` });
    // The first is not over, and does not hold up the second.
    played.seesWork('222').press('a');
    expect(played.effectsIn.at(-1)).toMatchObject({ kind: 'accept', root: BLOG, worker: 'adam', seen: { head: '222' } });
    const [first, second] = played.effects;
    if (first === undefined || second === undefined) throw new Error('no effects');
    played.on({ kind: 'done', effect: second, notice: { tone: 'good', text: 'adam: landed' } });
    expect(played.view.notice?.text).toBe('blog: adam: landed');
    expect(played.view.running.map(({ effect }) => effect.root)).toEqual(['']);
  });

  test.each<[string, readonly string[], object]>([
    ['reject', ['r', 'N', 'o', 'enter'], { kind: 'reject', worker: 'adam' }],
    ['a message', ['m', 'x', 'enter'], { kind: 'message', worker: 'adam', text: 'x' }],
    ['attach', ['enter'], { kind: 'attach', worker: 'adam' }],
    ['undo', ['u'], { kind: 'plan-undo' }],
    ['the queue', ['q'], { kind: 'list-queue' }],
    ['a task', ['n', 'x', 'enter'], { kind: 'task', text: 'x' }],
    ['a command', [':', 'l', 's', 'enter'], { kind: 'command', line: 'ls' }],
  ])('%s acts in the root of the selected worker', (_, keys, effect) => {
    const played = two([toReview('adam', ago(20))], [toReview('adam', ago(10))]).press('j', ...keys);
    expect(played.effectsIn).toMatchObject([{ ...effect, root: BLOG }]);
  });

  test('each root keeps its own task line, with the agent that was chosen for it', () => {
    const choices = [{ agent: 'codex', models: [] }];
    const played = two([toReview('adam', ago(20))], [toReview('adam', ago(10))])
      .press('n')
      .on({ kind: 'agents', choices, part: 'agent' })
      .type('Fix it')
      .press('escape', 'j');
    expect(played.view).toMatchObject({ root: BLOG, like: {}, task: { text: '' } });
    played.on({ kind: 'taken-back', text: 'Add it', like: { model: 'small' } });
    expect(played.press('k').view).toMatchObject({ root: '', like: { model: 'small' }, task: { text: 'Add it\nFix it' } });
    played.on({ kind: 'taken-back', root: BLOG, text: 'Say it', like: { agent: 'claude' } });
    expect(played.press('j').view).toMatchObject({ root: BLOG, like: { agent: 'claude' }, task: { text: 'Say it' } });
  });

  test('what is typed goes to the root in which it began, also when the selection moves meanwhile', () => {
    const played = two([working('adam')], [working('adam')])
      .press('j', 'm')
      .type('wait');
    played.on({ kind: 'status', root: BLOG, report: aReport([]) });
    expect(played.view.selected).toBe('worker:adam');
    expect(played.press('enter').effectsIn).toMatchObject([{ kind: 'message', root: BLOG, worker: 'adam' }]);
    expect(played.view.root).toBe('');
  });

  test('each root has its own draft of a task', () => {
    const played = two([working('adam')], [working('adam')])
      .press('n')
      .type('for the shop')
      .press('escape', 'j', 'n');
    expect(played.screen.at(-2)).toMatch(/^blog: task› *$/);
    expect(played.type('for the blog').press('escape', 'k', 'n').screen.at(-2)).toMatch(/^shop: task› for the shop/);
  });

  test('a task that fails is typed again in its root', () => {
    const played = two([working('adam')], [working('adam')]).press('n', 'x', 'enter', 'j');
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'locked' }, isOutdated: false });
    expect(played.view).toMatchObject({ root: '', mode: { kind: 'typing' }, notice: { text: 'shop: locked' } });
    expect(played.press('enter').effectsIn.at(-1)).toMatchObject({ kind: 'task', root: '', text: 'x' });
  });

  test('work that was seen is reported to its root once, also if another root has the same worker and commit', () => {
    const played = two([toReview('adam', ago(20))], [toReview('adam', ago(10))])
      .seesWork('111', 1_100)
      .on({ kind: 'tick' });
    played.press('j').seesWork('111', 1_100).on({ kind: 'tick' });
    expect(played.effectsIn.map(({ kind, root }) => [kind, root])).toEqual([
      ['mark-seen', ''],
      ['mark-seen', BLOG],
    ]);
  });

  test('a supervisor that is lost is named, and the others go on', () => {
    const played = two([working('adam')], [working('adam')]).on({ kind: 'lost', root: BLOG, why: 'the supervisor has ended, or hangs' });
    expect(played.screen[0]).toMatch(/no supervisor: blog/);
    expect(played.screen).toContainEqual(expect.stringMatching(/^blog +the supervisor has ended, or hangs/));
    played.on({ kind: 'status', report: aReport([toReview('adam')]) });
    expect(played.screen[1]).toContain('1 to review · 1 working');
    played.on({ kind: 'status', root: BLOG, report: aReport([working('adam')]) });
    expect(played.screen[0]).toMatch(/all up/);
  });

  test('a root that is gone leaves the view, and what is typed for another stays', () => {
    const played = two([working('adam')], [working('adam')])
      .press('n')
      .type('half')
      .on({ kind: 'gone', root: BLOG });
    expect(played.view).toMatchObject({
      mode: { kind: 'typing', field: { text: 'half' } },
      notice: { text: `The root of blog is gone: ${BLOG}` },
    });
    expect(
      two([working('adam')], [working('adam')])
        .press('j')
        .on({ kind: 'gone', root: BLOG }).view,
    ).toMatchObject({
      root: '',
      selected: 'worker:adam',
    });
  });

  test.each<[string, readonly string[], string]>([
    ['a message', ['m', 'a', 'b'], 'ab'],
    ['a task', ['n', 'a', 'b'], 'ab'],
    ['a task that is kept', ['n', 'a', 'b', 'escape'], 'ab'],
    ['a message beside a task that is kept', ['n', 'a', 'escape', 'm', 'b'], 'b\n\na'],
    ['a task that is kept while another root is selected', ['n', 'a', 'b', 'escape', 'k'], 'ab'],
  ])('%s for a root that is gone is shown, for a person to copy', (_, keys, text) => {
    const played = two([working('adam')], [working('adam')])
      .press('j', ...keys)
      .on({ kind: 'gone', root: BLOG });
    expect(played.view).toMatchObject({
      root: '',
      mode: { kind: 'output', text: `The root of blog is gone: ${BLOG}\n\n${text}` },
      task: { text: '' },
    });
  });

  test('runs of two roots are told apart by their roots', () => {
    const played = two([], []);
    for (const root of ['', BLOG]) played.on({ kind: 'runs', root, runs: [aRun('swarm-1', [{}])] });
    played.press('1').now += 400;
    expect(played.press('enter').effectsIn).toMatchObject([{ kind: 'decide', run: 'swarm-1', root: '' }]);
    expect(played.view.selected).toBe(`question:swarm-1#1${BLOG}`);
  });

  test('the filter finds a repository by its name', () => {
    const played = two([working('adam')], [working('ben')])
      .press('/')
      .type('blog');
    expect(played.view.selected).toBe(`worker:ben${BLOG}`);
    expect(played.screen).not.toContainEqual(expect.stringContaining('adam '));
  });
});

describe('one at a time', () => {
  test('R lists the roots with what waits, and enter shows another one', () => {
    const played = two([working('adam')], [toReview('ben'), asking('eve')], false).press('R');
    expect(played.asked).toEqual(['list-roots']);
    expect(played.screen).toContainEqual(expect.stringMatching(/^[ ▌]shop +up, 1 worker/));
    expect(played.screen).toContainEqual(expect.stringMatching(/^[ ▌]blog +2 need you {2}up, 2 workers/));
    played.press('j', 'enter');
    expect(played.view).toMatchObject({ root: BLOG, isTogether: false, selected: `worker:eve${BLOG}`, mode: { kind: 'browse' } });
    // What arrives late for the other root is dropped.
    played.on({ kind: 'pane', of: 'worker:adam', tab: 'screen', content: { kind: 'loading' } });
    expect(played.view.pane).toBeUndefined();
  });

  test('the draft of a task stays with its root', () => {
    const played = two([working('adam')], [working('ben')], false)
      .press('n')
      .type('for the shop')
      .press('escape', 'R', 'j', 'enter', 'n');
    expect(played.screen.at(-2)).toMatch(/^task› *$/);
    played.press('escape', 'R', 'k', 'enter', 'n');
    expect(played.screen.at(-2)).toMatch(/^task› for the shop/);
  });

  test('A shows all together and leads back to the root of the selected worker', () => {
    const played = two([working('adam')], [working('ben')], false).press('A');
    expect(played.view).toMatchObject({ isTogether: true, selected: 'worker:adam' });
    expect(played.press('j', 'A').view).toMatchObject({ isTogether: false, root: BLOG, selected: `worker:ben${BLOG}` });
  });

  test('s starts the supervisor of the marked root', () => {
    const down = aReport([], { supervisor: { running: false, pid: null, since_unix: null, stalled_since_unix: null } });
    const played = two([working('adam')], [], false)
      .press('R', 'j')
      .on({ kind: 'status', root: BLOG, report: down });
    expect(played.screen).toContainEqual(expect.stringMatching(/^[ ▌]blog +down, 0 workers {2}s starts its supervisor/));
    expect(played.press('s').effectsIn.at(-1)).toEqual({ kind: 'start-root', root: BLOG });
  });

  test('a person with one root is told how to get another', () => {
    const played = new Played([working('adam')]).press('A').on({ kind: 'known', roots: [{ root: '', name: 'shop' }] });
    expect(played.view).toMatchObject({ isTogether: false, notice: { text: expect.stringContaining('your only repository') } });
  });

  test('a root that was made meanwhile is in the list, and what is known of the others stays', () => {
    const played = new Played([working('adam')]).press('R').on({ kind: 'known', roots: ROOTS });
    expect(played.screen).toContainEqual(expect.stringMatching(/^[ ▌]shop +up, 1 worker/));
    expect(played.screen).toContainEqual(expect.stringMatching(/^[ ▌]blog +reading …/));
  });

  test('a task that fails after the switch comes back in its own root', () => {
    const played = two([working('adam')], [working('ben')], false).press('n', 'x', 'enter', 'R', 'j', 'enter');
    const [effect] = played.effects;
    if (effect === undefined) throw new Error('no effect');
    played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'locked' }, isOutdated: false });
    expect(played.view).toMatchObject({ root: '', mode: { kind: 'typing' }, notice: { text: 'shop: locked' } });
  });
});
