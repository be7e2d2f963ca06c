import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../../recovery/error-record.ts';
import type { CircuitBreaker, ItemStage, Reactions, ReviewStage } from '../../definition/plan.ts';
import { breakerText, breakerViews } from '../../view/breaker-view.ts';
import { runView } from '../../view/run-view.ts';
import { NOON, Told } from '../../view/told.fixture.ts';
import { listWaits } from '../../view/waits.ts';
import { forEach, POLICY, result, review, swarmPlan, work } from '../samples.ts';
import { wakeAt } from '../time/wake-at.ts';

const MINUTE = 60_000;
const breaker = (changes: Partial<CircuitBreaker> = {}): CircuitBreaker => ({
  scope: 'stage',
  failures: 2,
  retryAfterMs: 10 * MINUTE,
  whenOpen: 'ask',
  default: undefined,
  afterMs: undefined,
  ...changes,
});
const ASK_AT_ONCE = { crash: { after: 1, steps: [{ kind: 'skip', mark: 'uncertain' }] } } as const;

/** Four items with a review whose breaker opens after two failures in a row. */
function pipeline(changes: Partial<CircuitBreaker> = {}, window = 4): Told {
  const stages: readonly ItemStage[] = [
    work('write', 'developer'),
    review('check', 'write', { circuitBreaker: breaker(changes), onFailure: ASK_AT_ONCE, timeoutMs: 30 * MINUTE }),
  ];
  return new Told({ ...swarmPlan(), stages: [forEach('all', stages, { maxParallel: window })] }, { list: ['a', 'b', 'c', 'd'] });
}

const state = ({ run }: Told, step: string) => run.steps[step]?.state.kind;
const error = errorRecord({ id: 'x', code: 'AGENT_CRASHED', message: 'status 1', component: '', at: NOON });
const crash = (told: Told, step: string) => told.reply(step, { kind: 'started' }).reply(step, { kind: 'crashed', error });

test('a run whose breakers stay open for good, or hold steps that have cooled down, is not woken for them', () => {
  const told = pipeline();
  for (const key of ['1', '2', '3', '4']) told.work(`write/${key}`);
  crash(crash(told, 'check/1'), 'check/2');
  const { run } = told;
  const cooling = { kind: 'cooling', until: told.at - 1, redo: { kind: 'attempt', conversation: 'resume' } } as const;
  const step = run.steps['check/4'];
  if (step === undefined) throw new Error('the fourth item has a review');
  const held = {
    ...run,
    steps: { 'check/4': { ...step, state: cooling } },
    escalations: [],
    clock: { ...run.clock, stoppedSince: told.at },
  };
  expect(wakeAt(held, POLICY, told.at)).toBe(told.at + 10 * MINUTE);
  const open = { state: { kind: 'open', failures: 2, until: Number.MAX_SAFE_INTEGER }, whenOpen: 'skip', stretch: 1 } as const;
  expect(wakeAt({ ...held, breakers: { 'stage:check': open } }, POLICY, told.at)).toBeNull();
});

describe('a breaker of a stage', () => {
  test('opens after failures of two items in a row, and a success between them counts', () => {
    const told = pipeline({ whenOpen: 'skip' });
    for (const key of ['1', '2', '3']) told.work(`write/${key}`);
    crash(told, 'check/1').judge('check/2');
    expect(told.run.breakers['stage:check']?.state).toEqual({ kind: 'closed', failures: 0 });
    crash(told, 'check/3').work('write/4');
    crash(told, 'check/4');
    expect(told.run.breakers['stage:check']?.state).toEqual({ kind: 'open', failures: 2, until: told.at + 10 * MINUTE });
  });

  test.each([
    ['skip', ['unverified']],
    ['partial', ['partial']],
  ] as const)('that is open with %s skips the stage of the next items, and marks them', (whenOpen, marks) => {
    const told = pipeline({ whenOpen });
    for (const key of ['1', '2', '3']) told.work(`write/${key}`);
    crash(crash(told, 'check/1'), 'check/2').judge('check/3');
    told.work('write/4');
    expect(state(told, 'check/4')).toBe('skipped');
    expect(told.run.steps['write/4']?.marks).toEqual(marks);
    expect(told.run.status).toBe('done');
  });

  test('that is open with abort ends the run', () => {
    const told = pipeline({ whenOpen: 'abort' }).work('write/1').work('write/2');
    expect(crash(crash(told, 'check/1'), 'check/2').run.status).toBe('failed');
  });

  test('lets exactly one try through after the wait: its success closes it', () => {
    const told = pipeline({ whenOpen: 'ask' });
    for (const key of ['1', '2']) told.work(`write/${key}`);
    crash(crash(told, 'check/1'), 'check/2').work('write/3').work('write/4');
    expect([state(told, 'check/3'), state(told, 'check/4')]).toEqual(['waiting', 'waiting']);
    expect(told.run.escalations).toMatchObject([
      { type: 'circuit_breaker', step: 'check/2', options: ['extend', 'skip', 'manual', 'abort'] },
    ]);
    expect(wakeAt(told.run, POLICY, told.at)).toBeLessThanOrEqual(told.at + 10 * MINUTE);
    told.tell({ kind: 'tick' }, 10 * MINUTE);
    expect([state(told, 'check/3'), state(told, 'check/4')]).toEqual(['acting', 'waiting']);
    expect(told.run.breakers['stage:check']?.state).toMatchObject({ kind: 'half_open', trial: 'check/3' });
    told.judge('check/3');
    expect(told.run.breakers['stage:check']?.state).toEqual({ kind: 'closed', failures: 0 });
    expect(state(told, 'check/4')).toBe('acting');
  });

  test('opens again when the one try fails', () => {
    const told = pipeline({ whenOpen: 'ask' });
    for (const key of ['1', '2']) told.work(`write/${key}`);
    crash(crash(told, 'check/1'), 'check/2')
      .work('write/3')
      .work('write/4')
      .tell({ kind: 'tick' }, 10 * MINUTE);
    crash(told, 'check/3');
    expect(told.run.breakers['stage:check']?.state).toMatchObject({ kind: 'open', failures: 3, until: told.at + 10 * MINUTE });
    expect(state(told, 'check/4')).toBe('waiting');
  });

  test('keeps the one try while a person still reviews what it made', () => {
    const stages: readonly ItemStage[] = [
      work('write', 'developer'),
      work('draft', 'researcher', { circuitBreaker: breaker({ failures: 1 }), needs: ['write'] }),
      review('approve', 'draft', { by: { kind: 'person' } }),
    ];
    const told = new Told({ ...swarmPlan(), stages: [forEach('all', stages, { maxParallel: 3 })] }, { list: ['a', 'b', 'c'] });
    crash(told.work('write/1'), 'draft/1')
      .work('write/2')
      .tell({ kind: 'tick' }, 10 * MINUTE);
    told.work('draft/2', 'c2').work('write/3');
    expect(told.run.breakers['stage:draft']?.state).toMatchObject({ kind: 'half_open', trial: 'draft/2' });
    expect([state(told, 'draft/2'), state(told, 'approve/2'), state(told, 'draft/3')]).toEqual(['done', 'asking', 'waiting']);
    const asked = told.run.escalations.find(({ step }) => step === 'approve/2');
    told.tell({ kind: 'decided', escalation: asked?.number ?? 0, option: 'approve', text: null });
    expect(told.run.breakers['stage:draft']?.state).toMatchObject({ kind: 'closed' });
    expect(state(told, 'draft/3')).toBe('acting');
  });

  test('gives the one try to another step if a person takes it away', () => {
    const told = pipeline({ whenOpen: 'ask' });
    for (const key of ['1', '2']) told.work(`write/${key}`);
    crash(crash(told, 'check/1'), 'check/2')
      .work('write/3')
      .work('write/4')
      .tell({ kind: 'tick' }, 10 * MINUTE);
    told.reply('check/3', { kind: 'started' }).reply('check/3', { kind: 'asked', question: 'which?' });
    told.tell({ kind: 'decided', escalation: 2, option: 'skip', text: null });
    expect(told.run.breakers['stage:check']?.state).toMatchObject({ kind: 'half_open', trial: 'check/4' });
  });
});

describe('the answer to an open breaker', () => {
  const asked = () => {
    const told = pipeline();
    for (const key of ['1', '2']) told.work(`write/${key}`);
    return crash(crash(told, 'check/1'), 'check/2').work('write/3');
  };
  const decide = (option: string) => asked().tell({ kind: 'decided', escalation: 1, option, text: null });

  test('extend closes it and gives every further try half as much time again', () => {
    const told = decide('extend');
    expect([state(told, 'check/2'), state(told, 'check/3')]).toEqual(['acting', 'acting']);
    told.reply('check/3', { kind: 'started' });
    expect(told.run.steps['check/3']?.state).toMatchObject({ deadline: { at: told.at + 45 * MINUTE } });
  });

  test('extend has a bound, however many items ask', () => {
    const told = pipeline({ failures: 1 }).work('write/1');
    for (let times = 1; times <= 20; times += 1)
      crash(told, 'check/1').tell({ kind: 'decided', escalation: times, option: 'extend', text: null });
    expect(told.run.escalations).toHaveLength(20);
    expect(told.run.breakers['stage:check']?.stretch).toBe(4);
  });

  test('skip leaves out one item if the one try of another has closed it since', () => {
    const told = asked().tell({ kind: 'tick' }, 10 * MINUTE);
    told.judge('check/3').tell({ kind: 'decided', escalation: 1, option: 'skip', text: null }).work('write/4');
    expect(['2', '3', '4'].map((key) => state(told, `check/${key}`))).toEqual(['skipped', 'done', 'acting']);
  });

  test('skip leaves the stage out for the rest of the run', () => {
    const told = decide('skip')
      .tell({ kind: 'tick' }, 60 * MINUTE)
      .work('write/4');
    expect(['1', '2', '3', '4'].map((key) => state(told, `check/${key}`))).toEqual(Array(4).fill('skipped'));
    expect(told.run.status).toBe('done');
  });

  test('manual lets a person review every further item', () => {
    const told = decide('manual');
    expect(told.run.escalations.slice(1)).toMatchObject([
      { type: 'approval', step: 'check/2' },
      { type: 'approval', step: 'check/3' },
    ]);
    told.tell({ kind: 'decided', escalation: 2, option: 'approve', text: null });
    expect(state(told, 'check/2')).toBe('done');
  });

  test('abort ends the run', () => {
    expect(decide('abort').run.status).toBe('aborted');
  });
});

describe('an agent at work whose stage takes too long, so that the breaker opens', () => {
  /** The third and the fourth review are done, the first has crashed, and the second is late. */
  const late = () => {
    const told = pipeline();
    for (const key of ['1', '2', '3', '4']) told.work(`write/${key}`);
    told.judge('check/3').judge('check/4');
    crash(told, 'check/1').reply('check/2', { kind: 'started' });
    return told.tell({ kind: 'tick' }, 30 * MINUTE);
  };
  test('closes the breaker when it succeeds: the question needs no answer, and the others begin', () => {
    const told = late();
    expect(told.run.steps['check/2']?.state).toMatchObject({ kind: 'asking', working: {} });
    expect(told.run.escalations).toMatchObject([{ type: 'circuit_breaker', answer: null }]);
    const action = told.run.steps['check/2']?.state;
    if (action?.kind !== 'asking' || action.working === undefined) throw new Error('its agent goes on');
    told.tell({ kind: 'finished', action: action.working.action });
    expect(told.run.escalations).toMatchObject([{ answer: { option: 'ended' } }]);
    told.reply('check/2', { kind: 'collected', result: result({ verdict: { verdict: 'approved', issues: [] } }) });
    expect(told.run.breakers['stage:check']?.state).toEqual({ kind: 'closed', failures: 0 });
  });

  test('has the one try if it was ended from outside', () => {
    const told = late();
    told.reply('check/2', { kind: 'lost' });
    expect(told.run.breakers['stage:check']?.state).toMatchObject({ kind: 'half_open', trial: 'check/2' });
  });

  test.each([
    ['with time', false],
    ['at once', true],
  ])('waits for the answer over a pause %s: the question stays open', (_, now) => {
    const told = late().tell({ kind: 'pause', now }).tell({ kind: 'tick' }, 30_000);
    expect(told.run.status).toBe('paused');
    told.tell({ kind: 'resume', how: { kind: 'go_on' } });
    expect(state(told, 'check/2')).toBe('asking');
    expect(told.run.escalations).toMatchObject([{ type: 'circuit_breaker', answer: null }]);
    told.tell({ kind: 'decided', escalation: 1, option: 'extend', text: null });
    expect(told.actions.at(-1)).toMatchObject({ step: 'check/2', task: { kind: 'attempt', conversation: 'resume' } });
    expect(told.run.breakers['stage:check']?.state).toEqual({ kind: 'closed', failures: 0 });
  });
});

describe('a breaker of an item', () => {
  const limit = (...steps: Reactions['steps']): ReviewStage['onFailure'] => ({ limit: { after: 1, steps } });
  const reviewed = (onFailure: ReviewStage['onFailure'], list: readonly string[] = ['a']) => {
    const item = { circuitBreaker: breaker({ scope: 'item', failures: 3, whenOpen: 'skip' }), onFailure: RESTART };
    const stages: readonly ItemStage[] = [work('write', 'developer', item), review('check', 'write', { maxRounds: 3, onFailure })];
    return new Told({ ...swarmPlan(), stages: [forEach('all', stages)] }, { list });
  };
  const RESTART = { crash: { after: 1, steps: [{ kind: 'restart' }, { kind: 'restart' }, { kind: 'restart' }] } } as const;
  const round = (told: Told, ...issues: readonly string[]) => told.work('write/1').judge('check/1', ...issues);
  const left = (told: Told) => ['write/1', 'check/1', 'all/1'].map((step) => state(told, step));
  const count = ({ run }: Told) => run.breakers['item:write/1']?.state.failures ?? 0;

  test('opens after a review that ends with remarks in its third round: the run goes on without the item', () => {
    const told = round(round(reviewed({}, ['a', 'b']), 'x'), 'x');
    expect(count(told)).toBe(0);
    round(told, 'x');
    expect(told.run.breakers).toMatchObject({ 'item:write/1': { state: { kind: 'open', failures: 3 } } });
    expect(left(told)).toEqual(['skipped', 'skipped', 'failed']);
    expect(told.run.losses).toMatchObject([{ step: 'write/1', impact: 'its result is missing' }]);
    expect(told.run.warnings).toEqual(['write/1 has remarks after 3 rounds of review']);
    told.work('write/2').judge('check/2', 'x').work('write/2').judge('check/2');
    expect(told.run.steps['all/2']?.state.kind).toBe('done');
  });

  test('that a person extends gives the remarks to the agent', () => {
    const item = { circuitBreaker: breaker({ scope: 'item', failures: 1 }) };
    const stages: readonly ItemStage[] = [work('write', 'developer', item), review('check', 'write', { maxRounds: 1 })];
    const told = new Told({ ...swarmPlan(), stages: [forEach('all', stages)] }, { list: ['a'] })
      .work('write/1')
      .judge('check/1', 'too long');
    told.tell({ kind: 'decided', escalation: 1, option: 'extend', text: null });
    const again = told.actions.at(-1)?.task;
    expect(again?.kind === 'attempt' && again.prompt).toContain('- too long');
  });

  test('does not count remarks on the way to an approval', () => {
    const told = reviewed({});
    crash(told, 'write/1').tell({ kind: 'tick' }, MINUTE);
    round(round(told, 'x'), 'x');
    expect(count(told)).toBe(1);
    expect(left(round(told))).toEqual(['done', 'done', 'done']);
    expect(count(told)).toBe(0);
  });

  test('begins again with the agent that makes the work again, and opens when that one fails too', () => {
    const told = round(round(round(reviewed(limit({ kind: 'substitute' }, { kind: 'skip', mark: undefined })), 'x'), 'x'), 'x');
    expect(told.run.compensations).toMatchObject([{ action: 'reassign', stage: 'write/1' }]);
    expect([count(told), state(told, 'write/1')]).toEqual([0, 'acting']);
    round(round(round(told, 'y'), 'y'), 'y');
    expect(left(told)).toEqual(['skipped', 'skipped', 'failed']);
  });

  test('leaves work alone that the file takes with a mark', () => {
    const told = round(round(round(reviewed(limit({ kind: 'skip', mark: 'check by hand' })), 'x'), 'x'), 'x');
    expect(left(told)).toEqual(['done', 'skipped', 'done']);
    expect(told.run.steps['write/1']?.marks).toEqual(['check by hand']);
  });

  test('counts crashes and timeouts, one by one', () => {
    const told = reviewed({});
    for (let times = 0; times < 3; times += 1) crash(told, 'write/1').tell({ kind: 'tick' }, MINUTE);
    expect(told.run.breakers).toMatchObject({ 'item:write/1': { state: { kind: 'open', failures: 3 } } });
    expect(state(told, 'all/1')).toBe('failed');
  });
});

test('a reviewer that judges works, whatever it says: remarks and disagreements do not open its own breaker', () => {
  const disagreement = { after: 1, steps: [{ kind: 'skip', mark: 'uncertain' }] } as const;
  const stages: readonly ItemStage[] = [
    work('write', 'developer'),
    review('check', 'write', { maxRounds: 1, circuitBreaker: breaker(), onFailure: { ...ASK_AT_ONCE, disagreement } }),
  ];
  const told = new Told({ ...swarmPlan(), stages: [forEach('all', stages, { maxParallel: 4 })] }, { list: ['a', 'b', 'c'] });
  for (const key of ['1', '2', '3']) told.work(`write/${key}`);
  crash(told, 'check/1').judge('check/2', 'no');
  expect(told.run.breakers['stage:check']?.state).toEqual({ kind: 'closed', failures: 0 });
  crash(told, 'check/3');
  expect(told.run.escalations).toEqual([]);
});

test('a reviewer that cannot judge has failed: it is asked once more, and its own breaker counts', () => {
  const cannot_judge = { after: 1, steps: [{ kind: 'retry' }, { kind: 'skip', mark: 'not judged' }] } as const;
  const stages = [
    work('write', 'developer'),
    review('check', 'write', { circuitBreaker: breaker({ failures: 3 }), onFailure: { cannot_judge } }),
  ];
  const told = new Told({ ...swarmPlan(), stages }).work('write');
  const cannot = () => {
    told.reply('check', { kind: 'started' }).reply('check', { kind: 'finished' });
    told.reply('check', { kind: 'collected', result: result({ verdict: { verdict: 'cannot_judge', issues: ['no text'] } }) });
    told.tell({ kind: 'tick' }, MINUTE);
  };
  cannot();
  expect(told.actions.at(-1)?.task).toMatchObject({ kind: 'follow_up', text: expect.stringContaining('once more') });
  cannot();
  expect([state(told, 'write'), state(told, 'check'), told.run.steps.write?.marks]).toEqual(['done', 'skipped', ['not judged']]);
  expect(told.run.breakers['stage:check']?.state).toEqual({ kind: 'closed', failures: 2 });
});

test('a reviewer cannot refuse to judge unless the workflow file says what follows: it has remarks', () => {
  const told = new Told({ ...swarmPlan(), stages: [work('write', 'developer'), review('check', 'write')] }).work('write');
  expect(told.actions.at(-1)?.task).toMatchObject({ prompt: expect.not.stringContaining('cannot_judge') });
  told.reply('check', { kind: 'started' }).reply('check', { kind: 'finished' });
  told.reply('check', { kind: 'collected', result: result({ verdict: { verdict: 'cannot_judge', issues: ['no text'] } }) });
  expect(told.actions.at(-1)).toMatchObject({ step: 'write', task: { kind: 'follow_up' } });
});

test('a for_each whose breaker opens goes on with the items that are done', () => {
  const search = forEach('search', [work('find', 'researcher')], {
    maxParallel: 3,
    require: { done: { min: 3 } },
    circuitBreaker: breaker({ whenOpen: 'partial' }),
    onFailure: { unmet: { after: 1, steps: [{ kind: 'retry' }] }, crash: { after: 1, steps: [{ kind: 'skip', mark: undefined }] } },
  });
  const plan = { ...swarmPlan(), stages: [search, work('next', 'developer', { needs: ['search'] })] };
  const told = new Told(plan, { list: ['a', 'b', 'c'] }).work('find/1').work('find/2');
  crash(told, 'find/3');
  expect(state(told, 'search')).toBe('under_way');
  crash(told, 'find/3');
  expect(told.run.steps.search).toMatchObject({ state: { kind: 'done' }, marks: ['partial'] });
  expect(state(told, 'next')).toBe('acting');
});

describe('a stage that goes on with less than was asked does not count as a success for its breaker', () => {
  const failures = (told: Told, scope: string) => told.run.breakers[scope]?.state.failures;
  const ask = (...options: readonly string[]) => ({ after: 1, steps: [{ kind: 'ask', options }] }) as const;
  const restart = { after: 1, steps: [{ kind: 'restart' }] } as const;
  const items = (keys: readonly string[]) => {
    const stages: readonly ItemStage[] = [
      work('write', 'developer', { circuitBreaker: breaker(), onFailure: { crash: restart } }),
      review('check', 'write', { maxRounds: 1, onFailure: { limit: ask('accept', 'abort') } }),
    ];
    return new Told({ ...swarmPlan(), stages: [forEach('all', stages, { maxParallel: 2 })] }, { list: keys });
  };
  const accept = (told: Told) =>
    told.tell({ kind: 'decided', escalation: told.run.escalations.at(-1)?.number ?? 0, option: 'accept', text: null });

  test('closed: failures go on in a row after work that is accepted with its remarks', () => {
    const told = crash(items(['a', 'b']), 'write/1')
      .work('write/2')
      .judge('check/2', 'no');
    expect(failures(accept(told), 'stage:write')).toBe(1);
    expect(state(told, 'check/2')).toBe('done');
  });

  test('half-open: the next step has the one try', () => {
    const told = crash(crash(items(['a', 'b', 'c']), 'write/1'), 'write/2');
    expect(told.run.breakers['stage:write']?.state.kind).toBe('open');
    told.tell({ kind: 'tick' }, 10 * MINUTE);
    const trial = () => told.run.breakers['stage:write']?.state;
    expect(trial()).toMatchObject({ kind: 'half_open', trial: 'write/1' });
    accept(told.work('write/1').judge('check/1', 'no'));
    expect(trial()).toMatchObject({ kind: 'half_open', trial: 'write/3' });
  });

  const list = (changes: Partial<Parameters<typeof forEach>[2]>) => {
    const all = forEach('all', [work('write', 'developer', { onFailure: ASK_AT_ONCE })], {
      circuitBreaker: breaker({ failures: 3 }),
      require: { done: { min: 2 } },
      maxParallel: 2,
      ...changes,
    });
    return new Told({ ...swarmPlan(), stages: [all, work('next', 'researcher', { needs: ['all'] })] }, { list: ['a', 'b'] });
  };

  test('closed: nor does a list that goes on with some of its items begin the row again', () => {
    const unmet = { after: 1, steps: [{ kind: 'skip', mark: 'partial' }] } as const;
    const told = crash(list({ onFailure: { unmet } }).work('write/1'), 'write/2');
    expect([state(told, 'all'), failures(told, 'stage:all')]).toEqual(['done', 1]);
  });

  test('closed: nor one that a person skips', () => {
    const late = list({ timeoutMs: MINUTE, require: undefined, onFailure: { timeout: { after: 1, steps: [{ kind: 'retry' }] } } });
    const told = late.work('write/1').tell({ kind: 'tick' }, MINUTE);
    expect(failures(told, 'stage:all')).toBe(1);
    told.tell({ kind: 'pause', now: true }).tell({ kind: 'resume', how: { kind: 'skip_to', stage: 'next' } });
    expect([state(told, 'all'), failures(told, 'stage:all')]).toEqual(['done', 1]);
  });
});

test('a breaker is visible in what a run waits for, and in its view', () => {
  const told = pipeline();
  for (const key of ['1', '2']) told.work(`write/${key}`);
  crash(crash(told, 'check/1'), 'check/2').work('write/3');
  expect(listWaits(told.run, [])).toMatchObject([{ kind: 'person' }, { kind: 'breaker', step: 'check/3', failures: 2 }, { kind: 'llmc' }]);
  expect(breakerViews(told.run).map((view) => breakerText(view, told.at))).toEqual([
    expect.stringMatching(/^The circuit breaker of check is open after 2 failures, one more try at 12:1\d\.$/),
  ]);
});

test('the breaker of a service is visible in every run that goes on', () => {
  const told = pipeline();
  const services = [{ account: 'claude', failures: 3, until_ms: told.at + 15 * MINUTE }];
  const { breakers } = runView(told.run, [], told.at, { services });
  expect(breakers).toMatchObject([{ scope: 'provider:claude', state: 'open', failures: 3, trial: null }]);
  expect(breakers.map((view) => breakerText(view, told.at))).toEqual([
    expect.stringMatching(
      /^The service of claude has failed 3 times in a row: new work goes to the fallback of a role, one more try at 12:1[56]\.$/,
    ),
  ]);
  expect(runView(told.tell({ kind: 'abort', why: 'enough' }).run, [], told.at, { services }).breakers).toEqual([]);
});
