import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.ts';
import { errorRecord } from '../../recovery/error-record.ts';
import { TRIGGERS, type Trigger } from '../definition/plan.ts';
import { TRIGGER_OF } from './failure-trigger.ts';
import { Story, swarmPlan } from './samples.ts';
import type { RunPolicy } from './turn.ts';

/** The research of the story fails with a code, after its agent took the task. */
function failed(code: ErrorCode, times = 1, story = new Story()): Story {
  for (let time = 0; time < times; time += 1) {
    const { state } = story.run.steps.research ?? {};
    const action = state?.kind === 'working' ? state.action : story.action('research');
    const error = errorRecord({ id: `e${time}`, code, message: 'm', component: 'research', at: story.at });
    story.tell({ kind: 'started', action }).tell({ kind: 'failed', action, error }).tick(2_000_000);
  }
  return story;
}

describe('a failed operation', () => {
  /**
   * What a workflow file calls it, what llmc does first without a word of the file and without a fallback, and which question a person
   * gets at last.
   */
  test.each<[ErrorCode, Trigger | null, string, string | null]>([
    ['AGENT_TIMEOUT', 'timeout', 'retry', 'timeout'],
    ['AGENT_CRASHED', 'crash', 'restart', 'unavailable'],
    ['AGENT_SPAWN_FAILED', 'crash', 'restart', 'unavailable'],
    ['AGENT_NOT_FOUND', 'crash', 'ask', 'unavailable'],
    ['AGENT_UNUSABLE', 'crash', 'ask', 'unavailable'],
    ['SESSION_EXISTS', null, 'ask', 'failed'],
    ['DELIVERY_FAILED', 'crash', 'restart', 'unavailable'],
    ['AGENT_INVALID_OUTPUT', 'invalid_output', 'retry', 'invalid_output'],
    ['STAGE_FAILED', 'unmet', 'retry', 'unmet'],
    ['VALIDATION_FAILED', 'unmet', 'ask', 'unmet'],
    ['NETWORK_ERROR', 'network', 'retry', 'failed'],
    ['CLAUDE_API_ERROR', 'network', 'retry', 'failed'],
    ['RATE_LIMITED', 'network', 'retry', null],
    ['REBASE_CONFLICT', 'conflict', 'ask', 'failed'],
    ['PATCH_CHANGED', 'conflict', 'ask', 'failed'],
    ['LANDING_REFUSED', 'conflict', 'ask', 'failed'],
    ['LINES_DROPPED', 'conflict', 'ask', 'failed'],
    ['LINES_REPLACED', 'conflict', 'ask', 'failed'],
    ['BUDGET_SPENT', null, 'ask', 'resource'],
    ['TMUX_SESSION_FAILED', null, 'retry', null],
    ['GIT_WORKTREE_FAILED', null, 'retry', null],
    ['GIT_FAILED', null, 'retry', 'failed'],
    ['SANDBOX_FAILED', null, 'retry', 'failed'],
    ['DATABASE_ERROR', null, 'retry', 'failed'],
    ['FILESYSTEM_ERROR', null, 'retry', 'failed'],
    ['PERMISSION_DENIED', null, 'ask', 'failed'],
    ['INTERNAL', null, 'ask', 'failed'],
  ])('%s: trigger %s, %s, then the question %s (null: the run ends)', (code, trigger, first, question) => {
    expect(TRIGGER_OF[code] ?? null).toBe(trigger);
    const once = failed(code);
    expect(once.records.find(({ kind }) => kind === 'error')).toMatchObject({ error: { code, strategy: first } });
    expect(Object.keys(once.run.steps.research?.failures ?? {})).toEqual([trigger ?? code]);
    const story = new Story();
    for (let times = 0; times < 8 && story.run.escalations.length === 0 && story.run.status === 'running'; times += 1)
      failed(code, 1, story);
    expect(story.run.escalations.at(-1)?.type ?? null).toBe(question);
    expect(story.run.status).toBe(question === null ? 'failed' : 'running');
  });

  test('that is not about the work of a stage is not what `unmet` means in a file', () => {
    const unmet = { after: 1, steps: [{ kind: 'skip', mark: 'as good as it is' }] } as const;
    const plan = swarmPlan((stages) => stages.map((stage) => (stage.id === 'research' ? { ...stage, onFailure: { unmet } } : stage)));
    expect(failed('GIT_WORKTREE_FAILED', 3, new Story(plan)).run).toMatchObject({
      status: 'failed',
      error: { code: 'GIT_WORKTREE_FAILED' },
    });
    expect(failed('STAGE_FAILED', 1, new Story(plan)).run.steps.research?.state.kind).toBe('skipped');
  });

  test('of one kind does not use up the tries of another', () => {
    const story = failed('GIT_WORKTREE_FAILED', 2);
    expect(failed('TMUX_SESSION_FAILED', 2, story).run).toMatchObject({ status: 'running', escalations: [] });
  });

  test('names every code that a stage can meet, and only triggers that exist', () => {
    expect(Object.values(TRIGGER_OF).filter((trigger) => !TRIGGERS.includes(trigger))).toEqual([]);
    // An agent that asks has not failed: its question waits for a person.
    const unnamed = Object.keys(ERROR_CODES).filter((code) => code.startsWith('AGENT_') && !Object.hasOwn(TRIGGER_OF, code));
    expect(unnamed).toEqual(['AGENT_BLOCKED']);
  });
});

describe('a fallback that is not installed', () => {
  const notFound = errorRecord({ id: 'x', code: 'AGENT_NOT_FOUND', message: 'codex is not on PATH', component: 'develop', at: 0 });
  const crashedOut = () => {
    const story = new Story().work('research');
    for (let crashes = 0; crashes < 3; crashes += 1) story.crash('develop').tick(10_000);
    return story.tell({ kind: 'failed', action: story.action('develop'), error: notFound });
  };

  test('is left out with a sentence: the run ends with what happened to the own agent of the role', () => {
    const { run } = crashedOut();
    expect(run).toMatchObject({ status: 'failed', error: { code: 'AGENT_CRASHED', message: 'the agent ended (status 1)' } });
    expect(run.warnings).toContain('The fallback of developer is left out: codex is not on PATH.');
    expect(run.roles.developer).toMatchObject({ agent: 'own', unavailable: true });
  });

  const LISTED = { after: 1, steps: [{ kind: 'retry' }, { kind: 'substitute' }, { kind: 'skip', mark: undefined }] } as const;
  const listed = (policy: Partial<RunPolicy> = {}) => {
    const plan = swarmPlan((stages) =>
      stages.map((stage) => (stage.id === 'develop' ? { ...stage, onFailure: { crash: LISTED } } : stage)),
    );
    const story = new Story(plan, policy).work('research');
    for (let crashes = 0; crashes < 2; crashes += 1) story.crash('develop').tick(10_000);
    return story;
  };
  const skipped = { kind: 'skipped', why: 'the agent ended (status 1)' };

  test('is not tried, and a list of the file goes on behind it, with the failure of the own agent', () => {
    const { run, actions, records } = listed({ missingAgent: (agent) => `${agent} is not on PATH` });
    expect(run.steps.develop?.state).toMatchObject(skipped);
    expect(run.warnings).toContain('The fallback of developer is left out: codex is not on PATH.');
    expect(actions.some(({ task }) => task.kind === 'attempt' && task.agent === 'fallback')).toBe(false);
    const errors = records.flatMap((record) => (record.kind === 'error' ? [[record.error.code, record.error.strategy]] : []));
    expect(errors).toEqual([
      ['AGENT_CRASHED', 'retry'],
      ['AGENT_CRASHED', 'skip'],
    ]);
    expect(JSON.stringify(records)).not.toContain('takes over');
  });

  test('and is found to be so only when it is started, is not tried again', () => {
    const story = listed();
    const { run } = story.tell({ kind: 'failed', action: story.action('develop'), error: notFound });
    expect(run.steps.develop?.state).toMatchObject(skipped);
  });
});
