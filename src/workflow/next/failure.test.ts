import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../base/error-codes.ts';
import { errorRecord } from '../../recovery/error-record.ts';
import type { Strategy, StrategyAction } from '../../recovery/strategies.ts';
import { type Reaction, TRIGGERS, type Trigger } from '../definition/plan.ts';
import { NUDGE } from './compose-prompt.ts';
import { command, POLICY, result, review, Story, swarmPlan, work } from './samples.ts';

const SLOW = 10_000_000;

/** A story of one stage whose workflow file says what follows each failure of a kind. */
function listed(trigger: 'network' | 'crash' | 'timeout' | 'invalid_output', ...kinds: readonly ('retry' | 'restart' | 'skip')[]): Story {
  const steps = kinds.map((kind): Reaction => (kind === 'skip' ? { kind, mark: undefined } : { kind }));
  const stages = [work('search', 'researcher', { onFailure: { [trigger]: { after: 1, steps } } })];
  return new Story({ ...swarmPlan(), stages });
}

function fail(story: Story, code: ErrorCode): Story {
  const action = story.action('search');
  const error = errorRecord({ id: action, code, message: 'm', component: 'search', at: story.at });
  return story.tell({ kind: 'started', action }).tell({ kind: 'failed', action, error });
}

/** How long the step waits before it goes on; undefined if it does not wait. */
function waitMs({ run, at }: Story): number | undefined {
  const state = run.steps.search?.state;
  return state?.kind === 'cooling' ? state.until - at : undefined;
}

describe('a try that the workflow file asks for', () => {
  test.each<[ErrorCode, readonly number[]]>([
    ['NETWORK_ERROR', [60_000, 120_000, 240_000]],
    ['CLAUDE_API_ERROR', [60_000, 120_000, 240_000]],
    ['RATE_LIMITED', [5_000, 10_000, 20_000]],
  ])('after %s comes after longer and longer waits: %j', (code, waits) => {
    const story = listed('network', 'retry', 'retry', 'retry', 'skip');
    for (const wait of waits) {
      expect(waitMs(fail(story, code))).toBe(wait);
      story.tick(wait);
    }
    expect(fail(story, code).states()).toEqual({ search: 'skipped' });
  });

  test('after a crash ends what is left of the session, as without a line in the file', () => {
    const story = fail(listed('crash', 'restart'), 'AGENT_SPAWN_FAILED');
    expect(waitMs(story)).toBe(2_000);
    expect(story.tick(2_000).actions.at(-1)?.task).toMatchObject({ kind: 'attempt', endSession: true });
  });

  test('waits no shorter than the time between two recoveries', () => {
    const story = fail(listed('invalid_output', 'retry', 'retry'), 'AGENT_INVALID_OUTPUT').tick(0);
    expect(waitMs(fail(story, 'AGENT_INVALID_OUTPUT'))).toBe(POLICY.limits.coolDownMs - 2_000);
  });
});

/** A new action without an entry does not compile. */
const PERFORMED: Readonly<Record<StrategyAction, () => void>> = {
  nudge() {
    const story = new Story().tell({ kind: 'started', action: 'swarm-1.1' }).tick(POLICY.stageTimeoutMs);
    expect(lastTask(story)).toMatchObject({ kind: 'nudge', text: NUDGE });
  },
  say_problems() {
    const story = new Story().turn('research');
    story.tell({ kind: 'invalid', action: story.action('research'), problems: ['findings.md is missing'] }).tick(SLOW);
    expect(lastTask(story)).toMatchObject({ kind: 'follow_up', text: expect.stringContaining('findings.md is missing') });
  },
  end_session() {
    expect(lastTask(new Story().crash('research').tick(SLOW))).toMatchObject({ kind: 'attempt', endSession: true });
  },
  mark_partial() {
    const once = review('review', 'develop', { maxRounds: 1 });
    const story = new Story(swarmPlan((stages) => stages.map((stage) => (stage.id === 'review' ? once : stage))));
    story.work('research').work('develop', 'c1').judge('review', 'a test is missing');
    expect(story.run.steps.develop?.marks).toEqual(['partial']);
  },
};

const lastTask = (story: Story) => story.actions.at(-1)?.task;

test.each(Object.entries(PERFORMED))('the action %s of the table of strategies is performed', (_, see) => see());

describe('an agent that asks something', () => {
  const asking = () => {
    const story = new Story().tell({ kind: 'started', action: 'swarm-1.1' });
    return story.tell({ kind: 'asked', action: 'swarm-1.1', question: 'Which port?\n- 80\n- 8080' });
  };

  test('is blocked: the log has AGENT_BLOCKED as a warning, with what follows from it', () => {
    const { records, run } = asking();
    expect(records.filter(({ kind }) => kind === 'error')).toMatchObject([
      {
        error: {
          code: 'AGENT_BLOCKED',
          severity: 'warning',
          message: 'Which port?',
          component: 'research',
          role: 'researcher',
          strategy: 'ask',
          recoverable: true,
          retryable: false,
        },
      },
    ]);
    expect(run.escalations).toMatchObject([{ type: 'blocked', step: 'research', text: 'Which port?\n- 80\n- 8080' }]);
  });

  test('has not failed: it keeps its task, and no recovery is counted', () => {
    const { run } = asking();
    expect(run).toMatchObject({ recoveries: 0, steps: { research: { state: { kind: 'working' }, tries: 1 } } });
  });

  test('and is reported twice, or asks something else, has one open question', () => {
    const story = asking().tell({ kind: 'asked', action: 'swarm-1.1', question: 'Which port?\n- 80\n- 8080' });
    expect(story.run.escalations).toMatchObject([{ number: 1, answer: null }]);
    story.tell({ kind: 'asked', action: 'swarm-1.1', question: 'Which host?' });
    expect(story.run.escalations).toMatchObject([{ answer: { option: 'answered' } }, { text: 'Which host?', answer: null }]);
  });

  test('has gone on once its stage has ended well', () => {
    const story = asking();
    story.tell({ kind: 'answered', action: 'swarm-1.1' }).tell({ kind: 'finished', action: 'swarm-1.1' });
    const result = { artifacts: {}, commit: null, answer: null, verdict: null };
    story.tell({ kind: 'collected', action: story.action('research'), result });
    expect(story.records).toContainEqual({ kind: 'settled', step: 'research', outcome: 'recovered' });
  });
});

describe('what the agents of a run that fails had left', () => {
  const halts = (policy: object, abort = false) => {
    const stages = [
      work('one', 'developer', { needs: [] }),
      command('tests', { needs: [], onFailure: { unmet: { after: 1, steps: [{ kind: 'abort' }] } } }),
    ];
    const story = new Story({ ...swarmPlan(), stages }, policy);
    story.tell({ kind: 'started', action: story.action('one') });
    if (abort) story.tell({ kind: 'abort', why: 'enough' });
    else story.tell({ kind: 'checked', action: story.action('tests'), passed: false, output: 'o' });
    expect(story.run.status).toBe(abort ? 'aborted' : 'failed');
    return story.actions.flatMap(({ task }) => (task.kind === 'halt' ? [task.keeps ?? true] : []));
  };

  test('is kept, unless allow_partial is off', () => {
    expect(halts({})).toEqual([true]);
    expect(halts({ allowPartial: false })).toEqual([false]);
  });

  test('is kept when a person aborts it', () => {
    expect(halts({ allowPartial: false }, true)).toEqual([true]);
  });
});

describe('a list of on_failure goes on behind substitute', () => {
  type Kind = 'retry' | 'substitute' | 'skip' | 'ask';
  const steps = (...kinds: readonly Kind[]) =>
    kinds.map((kind): Reaction => (kind === 'skip' ? { kind, mark: undefined } : kind === 'ask' ? { kind, options: [] } : { kind }));
  const sessions = ({ actions }: Story) =>
    actions.flatMap(({ step, task }) => (step === 'develop' && task.kind === 'attempt' ? [task.session] : []));
  const crashing = (...kinds: readonly Kind[]): Story =>
    new Story({ ...swarmPlan(), stages: [work('develop', 'developer', { onFailure: { crash: { after: 1, steps: steps(...kinds) } } })] });

  test.each([
    [['retry', 'substitute', 'skip'], ['', '-r2', '-codex', '-codex-r2'], 'skipped'],
    [['substitute', 'ask'], ['', '-codex'], 'asking'],
    [['retry', 'retry', 'substitute', 'skip'], ['', '-r2', '-r3', '-codex', '-codex-r2', '-codex-r3'], 'skipped'],
  ] as const)('%j: after the fallback has had its own tries %j, the step is %s', (kinds, tries, state) => {
    const story = crashing(...kinds);
    for (const _ of tries) story.crash('develop').tick(60_000);
    expect(sessions(story)).toEqual(tries);
    expect(story.states()).toEqual({ develop: state });
  });

  test('without an entry behind it, the role has no agent any more', () => {
    const story = crashing('retry', 'substitute');
    for (let crash = 0; crash < 4; crash += 1) story.crash('develop').tick(60_000);
    expect(sessions(story)).toEqual(['', '-r2', '-codex', '-codex-r2']);
    expect(story.run.status).toBe('failed');
  });

  test('in a review whose work the fallback has made again', () => {
    const limit = { after: 1, steps: steps('substitute', 'ask') };
    const check = review('review', 'develop', { maxRounds: 1, onFailure: { limit } });
    const story = new Story({ ...swarmPlan(), stages: [work('develop', 'developer'), check] });
    story.work('develop', 'c1').judge('review', 'Not yet.');
    expect(story.run.compensations).toMatchObject([{ action: 'reassign' }]);
    story.work('develop', 'c2').judge('review', 'Not yet.');
    expect(sessions(story)).toEqual(['', '-codex']);
    expect(story.states()).toEqual({ develop: 'done', review: 'asking' });
  });
});

describe('a substitute that no other agent can carry out is recorded as what follows in its place', () => {
  const CRASHED: readonly Reaction[] = [{ kind: 'substitute' }, { kind: 'skip', mark: undefined }];
  const onFailure = (trigger: Trigger) => ({
    crash: { after: 1, steps: CRASHED },
    ...(trigger !== 'crash' && { [trigger]: { after: 1, steps: [{ kind: 'substitute' }] } }),
  });
  /** The researcher has no fallback, and a person is asked about the role; the reviewer has none, and the run can do without. */
  const search = (trigger: Trigger, code: ErrorCode) =>
    fail(new Story({ ...swarmPlan(), stages: [work('search', 'researcher', { onFailure: onFailure(trigger) })] }), code);
  const judged = (trigger: Trigger, verdict: 'changes' | 'inconsistent' | 'cannot_judge') => {
    const check = review('check', 'search', { maxRounds: 1, onFailure: onFailure(trigger) });
    const story = new Story({ ...swarmPlan(), stages: [work('search', 'researcher'), check] }).work('search', 'c1').turn('check');
    return story.tell({ kind: 'collected', action: story.action('check'), result: result({ verdict: { verdict, issues: ['x'] } }) });
  };
  const conflicting = () => {
    const [, , , land] = swarmPlan().stages;
    if (land?.kind !== 'land') throw new Error('the sample has it');
    const stages = [work('develop', 'researcher'), { ...land, needs: ['develop'], onFailure: onFailure('conflict') }];
    const story = new Story({ ...swarmPlan(), stages }).work('develop', 'c1');
    const error = errorRecord({ id: 'x', code: 'REBASE_CONFLICT', message: 'm', component: 'land', at: story.at });
    return story.tell({ kind: 'failed', action: story.action('land'), error });
  };

  const ROWS: Readonly<Record<Trigger, readonly [Strategy, () => Story][]>> = {
    crash: (['AGENT_CRASHED', 'AGENT_SPAWN_FAILED', 'AGENT_NOT_FOUND', 'AGENT_UNUSABLE', 'DELIVERY_FAILED'] as const).map((code) => [
      'skip',
      () => search('crash', code),
    ]),
    timeout: [['ask', () => search('timeout', 'AGENT_TIMEOUT')]],
    invalid_output: [['ask', () => search('invalid_output', 'AGENT_INVALID_OUTPUT')]],
    unmet: [['ask', () => search('unmet', 'STAGE_FAILED')]],
    network: (['NETWORK_ERROR', 'CLAUDE_API_ERROR', 'RATE_LIMITED'] as const).map((code) => ['ask', () => search('network', code)]),
    conflict: [['abort', conflicting]],
    cannot_judge: [['skip', () => judged('cannot_judge', 'cannot_judge')]],
    limit: [['skip', () => judged('limit', 'changes')]],
    disagreement: [['skip', () => judged('disagreement', 'changes')]],
    inconsistent: [['skip', () => judged('inconsistent', 'inconsistent')]],
  };
  const rows = TRIGGERS.flatMap((trigger) => ROWS[trigger].map(([strategy, story]) => [trigger, strategy, story] as const));

  const done = ({ run }: Story): Strategy => {
    const kinds = Object.values(run.steps).map(({ state }) => state.kind);
    return run.status === 'failed' ? 'abort' : kinds.includes('asking') ? 'ask' : 'skip';
  };
  const recorded = ({ records }: Story) => records.flatMap((each) => (each.kind === 'error' ? [each.error.strategy] : [])).at(-1);

  test.each(rows)('%s: %s', (_, strategy, make) => {
    const story = make();
    expect([recorded(story), done(story)]).toEqual([strategy, strategy]);
  });

  test('also if the fallback, which took over after another failure, is not installed: what ended the own agent counts', () => {
    const stages = [work('search', 'developer', { onFailure: { ...onFailure('network'), crash: { after: 3, steps: CRASHED } } })];
    const story = fail(new Story({ ...swarmPlan(), stages }), 'NETWORK_ERROR');
    expect(recorded(story)).toBe('substitute');
    fail(story, 'AGENT_NOT_FOUND');
    expect([recorded(story), done(story)]).toEqual(['abort', 'abort']);
  });
});
