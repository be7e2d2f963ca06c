import { describe, expect, test } from 'vitest';
import { measureWidth } from '../../../base/text-width.ts';
import { visibleIn } from '../../../base/visible-text.ts';
import { errorRecord } from '../../../recovery/error-record.ts';
import type { Plan } from '../../../workflow/definition/plan.ts';
import type { Compensation } from '../../../workflow/model/compensation.ts';
import { result, review, swarmPlan, work } from '../../../workflow/next/samples.ts';
import { reportView } from '../../../workflow/view/report-view.ts';
import { runLine, runView } from '../../../workflow/view/run-view.ts';
import { NOON, Told } from '../../../workflow/view/told.fixture.ts';
import { whyView } from '../../../workflow/view/why-view.ts';
import { decideText } from '../decide.ts';
import type { AgentView } from '../run-agents.ts';
import { reportRunText } from './report-run-text.ts';
import { runsText } from './runs-text.ts';
import { showText } from './show-text.ts';
import { whyRunText } from './why-run-text.ts';

const display = (columns = Number.POSITIVE_INFINITY) => ({ color: false, columns, atRoot: (text: string) => text });
const show = ({ run, at, errors }: Told, columns?: number, agents: readonly AgentView[] | null = null) =>
  showText(visibleIn({ ...runView(run, [], at, { errors }), agents, supervised: true, problems: [] }), at, display(columns)).split('\n');
const crash = (details: string | null = null) =>
  ({
    kind: 'crashed',
    error: errorRecord({ id: 'x', code: 'AGENT_CRASHED', message: 'status 1', details, component: '', at: NOON }),
  }) as const;

const landing = () => new Told().work('research').work('develop', 'c1').judge('review', 'no test').work('develop', 'c2').judge('review');
const asking = (question: string) => new Told().reply('research', { kind: 'started' }).reply('research', { kind: 'asked', question });

describe('show', () => {
  test('a run at its landing', () => {
    expect(show(landing().reply('land', { kind: 'started' }))).toEqual([
      'swarm-1 (swarm): waits for you, 5m12s',
      '! swarm-1 (land): the work of swarm-1-developer waits for your review',
      '    llmc review swarm-1-developer',
      '    llmc accept swarm-1-developer',
      '    llmc reject --worker swarm-1-developer "…"',
      '  task: a clock',
      '  ✓ research  researcher  1m2s',
      '  ✓ develop   developer   3m6s  round 2',
      '    ✓ review  reviewer    3m6s  round 2 of 3; approved',
      '    ▸ land    person      1s    waits for your review of swarm-1-developer',
    ]);
  });

  test('a run that is done names the files of its last work', () => {
    const plan = swarmPlan((stages) => stages.filter(({ id }) => id === 'research'));
    const artifacts = { 'findings.md': { path: 'artifacts/findings.md', sha256: 'a', value: null } };
    const told = new Told(plan).reply('research', { kind: 'started' }).reply('research', { kind: 'finished' });
    expect(runView(told.run, [], told.at).result).toEqual([]);
    told.reply('research', { kind: 'collected', result: { artifacts, commit: null, answer: null, verdict: null } });
    expect(show(told)).toContain('  result: artifacts/findings.md');
    expect(runView(told.run, [], told.at, { folder: '/root/runs/swarm-1' }).result).toEqual(['/root/runs/swarm-1/artifacts/findings.md']);
  });

  test('a run with a question, a stage that was tried again, and stages that wait', () => {
    const told = new Told().reply('research', { kind: 'started' }).reply('research', crash()).tell({ kind: 'tick' }, 10_000);
    told.reply('research', { kind: 'started' }).reply('research', { kind: 'asked', question: 'Which port?\n- 8080' });
    expect(show(told)).toEqual([
      'swarm-1 (swarm): waits for you, 15s, 1 recovery',
      '! swarm-1#1 (blocked, research): Which port?',
      '    | - 8080',
      '    1 answer (recommended)  2 skip  3 abort',
      '    llmc decide swarm-1#1 answer --text "…"',
      '  task: a clock',
      '  ▸ research  researcher-r2  14s  asks you (#1, blocked)',
      '  · develop   developer           waits for research',
      '    · review  reviewer            waits for develop',
      '    · land    person              waits for review',
    ]);
  });

  test('all recoveries of a run are counted, also those before an answer, and no question', () => {
    const told = new Told();
    const crashed = () => told.reply('research', { kind: 'started' }).reply('research', crash()).tell({ kind: 'tick' }, 10_000);
    for (let times = 0; told.run.escalations.length === 0 && times < 9; times += 1) crashed();
    expect([told.run.recoveries, show(told)[0]]).toEqual([1, expect.stringMatching(/, 1 recovery$/)]);
    told.tell({ kind: 'decided', escalation: 1, option: 'restart', text: null });
    crashed();
    expect([told.run.recoveries, show(told)[0]]).toEqual([1, expect.stringMatching(/, 2 recoveries$/)]);
  });

  test('a run whose developer is lost: stand-in, failure, what was skipped', () => {
    const told = new Told().work('research');
    for (let times = 0; times < 4; times += 1)
      told.reply('develop', { kind: 'started' }).reply('develop', crash()).tell({ kind: 'tick' }, 10_000);
    expect(show(told)).toEqual([
      expect.stringMatching(/^swarm-1 \(swarm\): failed, .*, 3 recoveries$/),
      '! AGENT_CRASHED: status 1',
      '    llmc report swarm-1',
      '    llmc recover swarm-1 --dry-run',
      '  task: a clock',
      '  ✓ research  researcher          1m2s',
      expect.stringMatching(/^ {2}✗ develop {3}developer-codex-r2 {2}\S+ +status 1$/),
      '    – review  reviewer                  the run ended',
      '    – land    person                    the run ended',
      '! No agent can work as developer. The run ends, and what is there is kept.',
      '! Impact of develop: nothing can be done as developer. Mitigation: the run ends, and what is there is kept.',
    ]);
  });

  test('an aborted run says why; one without a supervisor, or with a full disk, that nothing goes on', () => {
    expect(show(new Told().tell({ kind: 'abort', why: 'enough' })).slice(1, 4)).toEqual([
      '! aborted: enough',
      '    llmc report swarm-1',
      '    llmc recover swarm-1 --dry-run',
    ]);
    const { run, at } = landing();
    const shown = { ...runView(run, [], at), agents: null, supervised: false, problems: ['The disk is full.'] };
    expect(showText(shown, at, display()).split('\n').slice(1, 3)).toEqual([
      '! No supervisor is running, so nothing goes on: llmc up --detach',
      '! The disk is full.',
    ]);
  });

  test('how far an agent says it is', () => {
    const { run, at } = new Told().reply('research', { kind: 'started' });
    const view = runView(run, [], at);
    const stages = view.stages.map((stage) =>
      stage.id === 'research' ? { ...stage, progress: { done: 3, total: 5, note: 'tests' } } : stage,
    );
    expect(showText({ ...view, stages, agents: null, supervised: true, problems: [] }, at, display())).toContain(
      '3 of 5: tests; researcher works',
    );
  });

  test('the agents with what they have used', () => {
    const agent = { worker: 'swarm-1-developer', role: 'developer', agent: 'claude', resting: false, tokens: 12_345, cost_usd: 0.4 };
    const resting = { worker: 'swarm-1-reviewer', role: 'reviewer', agent: 'codex', resting: true, tokens: null, cost_usd: null };
    expect(show(landing(), undefined, [agent, resting])).toContain('  agents: developer (claude, 12kt, $0.40), reviewer (codex, resting)');
    expect(show(landing(), undefined, []).join()).not.toContain('agents');
  });

  test.each([40, 60, 80])('fits %d columns, as far as its words do', (columns) => {
    const lines = show(landing().reply('land', { kind: 'started' }), columns);
    for (const line of lines.filter((each) => !each.trim().includes('swarm-1-developer')))
      expect(measureWidth(line), line).toBeLessThanOrEqual(columns);
  });

  test('text of an agent cannot pose as a line of llmc, and is not endless', () => {
    const hostile = `\u001b[2J\n! swarm-1#9: type llmc accept\u202e ${'x '.repeat(5_000)}`;
    const lines = show(asking(hostile));
    expect(lines.filter((line) => line.startsWith('!'))).toHaveLength(1);
    expect(lines.slice(1, 3)).toEqual([
      '! swarm-1#1 (blocked, research): <U+001B>[2J',
      expect.stringMatching(/^ {4}\| ! swarm-1#9: type llmc accept<U\+202E> x x/),
    ]);
    expect(Math.max(...lines.map(measureWidth))).toBeLessThan(700);
  });
});

describe('a run that goes on with less than was asked', () => {
  const lacking = (count: number, level: 'full' | 'reduced' = 'reduced') => {
    const told = landing();
    const loss = (nth: number) => ({ step: `check/${nth}`, impact: `write/${nth} was not checked to its end`, mitigation: 'it is used' });
    told.run = { ...told.run, level, losses: Array.from({ length: count }, (_, index) => loss(index + 1)) };
    return told;
  };
  const impacts = (lines: readonly string[]) => lines.filter((line) => line.startsWith('! '));
  const explain = ({ run, at }: Told) => {
    const why = whyView(run, { tasks: [], history: [], errors: [] }, at);
    return whyRunText({ ...visibleIn(why), problems: [] }, at, display()).split('\n');
  };
  const reported = ({ run }: Told) => {
    const facts = { questions: [], retries: [], checkpoints: [], partial: [], errors: [], now: NOON, log: '', folder: '', state: '' };
    return reportRunText(reportView(run, facts), false, display()).split('\n');
  };
  const SAYS = '! Impact of check/1: write/1 was not checked to its end. Mitigation: it is used.';

  test.each(['reduced', 'full'] as const)('says what is missing in show, why and report, at the level %s too', (level) => {
    const told = lacking(1, level);
    for (const lines of [show(told), explain(told), reported(told)]) expect(impacts(lines)).toContain(SAYS);
    expect(runView(told.run, [], told.at).losses).toEqual(told.run.losses);
  });

  test('names the first ones of many', () => {
    for (const lines of [show(lacking(8)), explain(lacking(8))]) expect(lines.join()).not.toContain('more: llmc report');
    for (const lines of [show(lacking(200)), explain(lacking(200))]) {
      expect(impacts(lines).filter((line) => line.includes('Impact'))).toHaveLength(7);
      expect(impacts(lines).at(-1)).toBe('! 193 more: llmc report swarm-1');
    }
  });

  test('has its warnings in why as well', () => {
    const told = asking('Which port?').tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
    expect(impacts(explain(told))).toEqual([
      '! a person skipped research',
      '! Impact of research: its result is missing. Mitigation: the later stages go on without it, and are told so.',
    ]);
    expect(show(told)[0]).toContain('running, reduced');
  });
});

describe('runs', () => {
  test('those that have not ended come first', () => {
    const ended = new Told().tell({ kind: 'abort', why: 'enough' });
    const lines = [{ ...runLine(ended.run, [], ended.at), id: 'swarm-2' }, runLine(asking('Which port?').run, [], NOON)];
    expect(runsText(lines, NOON + 60_000, display()).split('\n')).toEqual([
      'swarm-1  waits for you  1m  research: asks you (#1, blocked): Which port?',
      'swarm-2  aborted        2s  ended 12:00: enough',
    ]);
    expect(runsText(lines, NOON, display(20)).split('\n').map(measureWidth)).toEqual([20, 20]);
  });

  test('old ones are counted', () => {
    const line = runLine(new Told().tell({ kind: 'abort', why: 'enough' }).run, [], NOON);
    const lines = runsText(
      Array.from({ length: 30 }, () => line),
      NOON,
      display(),
    ).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([21, '… 10 more: llmc runs --json']);
  });

  test('none', () => {
    expect(runsText([], NOON, display())).toBe('No runs yet: llmc run swarm --input task="…"');
  });
});

test('why names what the run waits for, and the decisions that led there', () => {
  const told = new Told().reply('research', { kind: 'started' });
  for (let times = 0; times < 2; times += 1)
    told.reply('research', crash('panic: \u001b[31m')).tell({ kind: 'tick' }, 10_000).reply('research', { kind: 'started' });
  const why = whyView(told.run, { tasks: [], history: told.history, errors: [] }, told.at);
  const lines = whyRunText({ ...visibleIn(why), problems: [] }, told.at, display()).split('\n');
  expect(lines.slice(0, 10)).toEqual([
    'swarm-1 (swarm): waits for you, 26s.',
    '! swarm-1#1 (unavailable, research): No agent can work as researcher.',
    '    its own agent failed after 2 attempts: status 1',
    '    | panic: <U+001B>[31m',
    '    1 restart (recommended)  2 skip  3 abort',
    '    llmc decide swarm-1#1 restart',
    '    task: Do research.',
    expect.stringMatching(/^research: asks you \(#1, unavailable\): /),
    '  12:00:15  status 1; no other agent can take over (AGENT_CRASHED, failure 2)',
    '  12:00:15  a person decides whether the workflow does without researcher',
  ]);
  expect(lines).toContain('Latest decisions');
  expect(whyRunText({ ...why, problems: ['the disk is full'] }, told.at, display()).split('\n')[1]).toBe('! the disk is full');
});

test('a question about agents that failed has each of them, how far the last one was, its output, and a letter for each option', () => {
  const told = new Told().work('research');
  told.run = {
    ...told.run,
    plan: { ...told.run.plan, roles: { ...told.run.plan.roles, developer: asked(told.run.plan.roles.developer) } },
  };
  for (let times = 0; times < 4; times += 1)
    told.reply('develop', { kind: 'started' }).reply('develop', crash('panic: no key')).tell({ kind: 'tick' }, 10_000);
  const [question] = runView(told.run, [], told.at).questions;
  if (question === undefined) throw new Error('it asks nothing');
  const progress = { done: 2, total: 5, note: 'tests' };
  expect(
    decideText(
      { kind: 'listed', whole: false, questions: [{ ...question, progress, see: ['/logs/s.txt'], work: null }], reviews: [] },
      NOON,
      display(),
    ),
  ).toBe(
    [
      '! swarm-1#1 (crash, develop): No agent can work as developer: its own agent and then codex failed.',
      '    its own agent failed after 2 attempts: status 1',
      '    codex failed after 2 attempts: status 1',
      '    progress: 2/5, tests',
      '    | panic: no key',
      '    see: /logs/s.txt',
      '    [R]estart (recommended)  [F]allback  [S]kip  [A]bort',
      '    llmc decide swarm-1#1 restart',
    ].join('\n'),
  );
});

function asked<Role extends object>(role: Role | undefined): Role & { readonly whenUnavailable: 'ask' } {
  if (role === undefined) throw new Error('the sample has a developer');
  return { ...role, whenUnavailable: 'ask' };
}

describe('the prompt of a review that a person does', () => {
  const approval = (prompt: string) => {
    const stages = swarmPlan().stages.map((stage) =>
      stage.id === 'review' ? review('review', 'develop', { by: { kind: 'person' }, prompt }) : stage,
    );
    const told = new Told({ ...swarmPlan(), stages }, { task: 'a \u001b[31mclock' }).reply('research', { kind: 'started' });
    const artifacts = { 'findings.md': { path: 'artifacts/research-1-findings.md', sha256: 'a', value: null } };
    told.reply('research', { kind: 'finished' }).reply('research', { kind: 'collected', result: result({ artifacts }) });
    return told.work('develop', 'c1');
  };
  const questions = ({ run, at }: Told) => runView(run, [], at, { folder: '/root/runs/swarm-1' }).questions;
  const decided = (told: Told, whole: boolean) =>
    decideText(
      { kind: 'listed', whole, questions: questions(told).map((question) => ({ ...question, work: null })), reviews: [] },
      NOON,
      display(),
    ).split('\n');

  test('stands with the question, with the values of the run, and files where a person finds them', () => {
    const told = approval('Compare {{inputs.task}} with {{research}}.\n\nIs {{develop.commit}} enough?');
    const asks = [
      '! swarm-1#1 (approval, review): Approve the result of develop?',
      '    prompt of the review:',
      '    | Compare a <U+001B>[31mclock with /root/runs/swarm-1/artifacts/research-1-findings.md.',
      '    | Is c1 enough?',
      '    1 approve (recommended)  2 reject  3 abort',
      '    llmc decide swarm-1#1 approve',
    ];
    expect(decided(told, false)).toEqual(asks);
    expect(show(told)).toContain('    | Is c1 enough?');
    const why = whyView(told.run, { tasks: [], history: [], errors: [] }, told.at);
    expect(whyRunText({ ...why, problems: [] }, told.at, display()).split('\n')).toContain('    | Is c1 enough?');
  });

  test('is folded when it is long, with the command that shows all of it', () => {
    const told = approval(Array.from({ length: 20 }, (_, index) => `Check ${index + 1}.`).join('\n'));
    const folded = ['    | Check 12.', '    … 8 more lines: llmc decide swarm-1#1', '    1 approve (recommended)  2 reject  3 abort'];
    expect(decided(told, false).slice(-4, -1)).toEqual(folded);
    expect(show(told)).toContain(folded[1]);
    const whole = decided(told, true);
    expect(whole).toContain('    | Check 20.');
    expect(whole.join('\n')).not.toContain('more lines');
    const long = approval(`${'word '.repeat(200)}\nend`);
    expect(decided(long, false)).toContain('    … 2 more lines: llmc decide swarm-1#1');
    expect(decided(long, true)).toContain('    | end');
  });

  test('is there too when the last round is over, and when a person takes the place of an agent; not when there is none', () => {
    const last = approval('Look at the tests.');
    const stages = last.run.plan.stages.map((stage) =>
      stage.kind === 'review'
        ? { ...stage, maxRounds: 1, onFailure: { limit: { after: 1, steps: [{ kind: 'ask', options: [] }] } } }
        : stage,
    );
    last.run = { ...last.run, plan: { ...last.run.plan, stages } as Plan };
    last.tell({ kind: 'decided', escalation: 1, option: 'reject', text: 'No' });
    expect(questions(last)).toMatchObject([{ type: 'unmet', prompt: 'Look at the tests.' }]);
    expect(questions(approval(''))).toMatchObject([{ type: 'approval', prompt: null }]);
    expect(questions(asking('Which port?'))).toMatchObject([{ type: 'blocked', prompt: null }]);
  });
});

test('decide lists what waits, and says what it did', () => {
  const { questions, reviews } = runView(asking('Which port?').run, [], NOON);
  const listed = questions.map((question) => ({ ...question, work: null }));
  expect(decideText({ kind: 'listed', whole: false, questions: listed, reviews }, NOON, display())).toContain(
    '1 answer (recommended)  2 skip  3 abort',
  );
  expect(decideText({ kind: 'listed', whole: false, questions: [], reviews: [] }, NOON, display())).toBe('Nothing waits for you.');
  const decided = { run: 'swarm-1', number: 1, option: 'skip', taken: true };
  expect(decideText({ kind: 'decided', decided }, NOON, display())).toBe('swarm-1#1: skip. llmc show swarm-1');
  expect(decideText({ kind: 'decided', decided: { ...decided, taken: false } }, NOON, display())).toBe(
    'swarm-1#1: skip. The answer is recorded and takes effect when the supervisor runs: llmc up --detach',
  );
});

const UNDONE: Compensation = {
  number: 1,
  at: NOON,
  stage: 'research',
  reason: 'they differ',
  action: 'rollback',
  steps: [],
  archived: 'archive/1-research',
  notified: false,
  landings: [],
};

describe('report', () => {
  const error = (id: string, changes: object) =>
    errorRecord({ id, code: 'AGENT_CRASHED', message: 'status 1', component: 'research', at: NOON, strategy: 'restart', ...changes });
  const facts = {
    questions: [],
    retries: [],
    checkpoints: [],
    partial: [],
    now: NOON + 60_000,
    log: '/root/llmc.log',
    folder: '/root/runs/swarm-1',
    state: '/root/runs/swarm-1/state.yaml',
  };
  const cause = error('c', { details: null, message: 'killed by signal 9' });
  const logged = [error('a', {}), error('b', { details: 'out of memory', cause, role: 'researcher', durationMs: 61_000 })];
  const errors = logged.map((each, index) => ({ ...each, outcome: index === 1 ? ('recovered' as const) : ('failed again' as const) }));

  test('short', () => {
    const { run } = new Told().work('research');
    expect(reportRunText(reportView(run, { ...facts, errors }), false, display()).split('\n')).toEqual([
      'swarm-1 (swarm): running, 1m; 1 of 4 stages done, 2 failures.',
      '',
      'Results',
      '  research: done',
      '  develop: acting',
      '  review: waiting',
      '  land: waiting',

      '',
      'Failures',
      '  12:00  AGENT_CRASHED (research): The agent of research ended unexpectedly: status 1.',
      '  12:00  AGENT_CRASHED (research, researcher): The agent of researcher ended unexpectedly: status 1. (recovered)',
      '    out of memory',

      '',
      'Recoveries',
      '  12:00  AGENT_CRASHED (research): restart, failed again',
      '  12:00  AGENT_CRASHED (research): restart, recovered',
    ]);
  });

  test('of a run that was stopped names what its agents had left', () => {
    const { run } = new Told().work('research').tell({ kind: 'abort', why: 'enough' });
    const partial = ['partial/develop-1/notes.md', 'partial/develop-2-1/other.md'];
    const lines = reportRunText(reportView(run, { ...facts, partial, errors: [] }), false, display()).split('\n');
    expect(lines).toContain('  develop: skipped; the run ended; not finished: partial/develop-1/notes.md');
  });

  test('suggests something about a failure until the run has dealt with it', () => {
    const { run } = new Told().work('research');
    const suggested = (outcome: 'recovered' | 'failed again' | 'skipped' | null) =>
      reportView(run, { ...facts, errors: [{ ...error('a', { role: 'researcher' }), outcome }] }).suggestions;
    expect([suggested('recovered'), suggested('failed again')]).toEqual([[], []]);
    expect([suggested('skipped'), suggested(null)].flat()).toEqual(Array(2).fill('See why the agent ended: llmc why swarm-1-researcher'));
  });

  test('has the stages in the order of the plan, also those whose names are numbers', () => {
    const told = new Told(
      swarmPlan(() => [work('1', 'researcher'), review('1-check', '1'), work('2', 'researcher', { needs: ['1-check'] })]),
    );
    expect(reportView(told.run, { ...facts, errors: [] }).results.map(({ stage }) => stage)).toEqual(['1', '1-check', '2']);
  });

  test('of a run that ended says why, and of a rollback which items began again', () => {
    const { run } = new Told().work('research').tell({ kind: 'abort', why: 'the task has changed' });
    const undone = { ...UNDONE, stage: 'sections', items: ['sections/s1', 'sections/s3'] };
    const lines = reportRunText(reportView({ ...run, compensations: [undone] }, { ...facts, errors: [] }), false, display()).split('\n');
    expect(lines[1]).toBe('! Aborted: the task has changed.');
    expect(lines.find((line) => line.includes('rollback'))).toContain('sections/s1, sections/s3: rollback, they differ');
  });

  test('of a run that lost its reviewer names what is missing', () => {
    const told = new Told().work('research').work('develop', 'c1');
    const crash = error('x', { component: 'review' });
    for (let crashes = 0; crashes < 3; crashes += 1)
      told.reply('review', { kind: 'started' }).reply('review', { kind: 'crashed', error: crash }).tell({ kind: 'tick' }, 60_000);
    const lines = reportRunText(reportView(told.run, { ...facts, errors: [] }), false, display()).split('\n');
    expect(lines.filter((line) => line.startsWith('! '))).toEqual([
      '! Minimal: no optional role is left.',
      '! No agent: reviewer',
      '! Skipped: review',
      '! develop: unverified',
      '! No agent can work as reviewer. The result of develop is not verified.',
      '! Impact of review: nothing can be checked as reviewer. Mitigation: develop is marked unverified.',
    ]);
  });

  test.each([
    ['approved', []],
    ['changes', ['no source']],
    ['inconsistent', ['no source']],
    ['cannot_judge', ['no source']],
  ] as const)('with the verdict %s has the remarks %j', (verdict, remarks) => {
    const told = new Told().work('research').work('develop', 'c1');
    told.reply('review', { kind: 'started' }).reply('review', { kind: 'finished' });
    told.reply('review', { kind: 'collected', result: result({ verdict: { verdict, issues: ['no source'] } }) });
    const { results } = reportView(told.run, { ...facts, errors: [] });
    expect(results.find(({ stage }) => stage === 'review')?.remarks).toEqual(remarks);
  });

  test('verbose adds details, causes and files', () => {
    const { run } = new Told().work('research');
    const lines = reportRunText(reportView(run, { ...facts, errors }), true, display()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '    out of memory',
        '    caused by AGENT_CRASHED: killed by signal 9',
        '    error, failure 1 of its kind, after 1m1s',
      ]),
    );
    expect(lines).toEqual(
      expect.arrayContaining(['  folder of the run: /root/runs/swarm-1', '  state of the run: /root/runs/swarm-1/state.yaml']),
    );
  });

  test('JSON has every failure with its fields', () => {
    const { run } = new Told().work('research');
    const report = reportView(run, { ...facts, errors });
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(report.errors[1]).toMatchObject({ id: 'b', recovered: true, where: 'research', causes: ['AGENT_CRASHED: killed by signal 9'] });
  });
});
