import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../config/parse.ts';
import { workflowSettings } from '../config/workflow-settings.ts';
import { RETRY_TABLE } from '../recovery/retry/retry.ts';
import { STRATEGY_LIMITS } from '../recovery/strategies.ts';
import { readWorkflow } from './definition/read-workflow.ts';
import { builtInFolder } from './library/built-in-folder.ts';
import { CHECKPOINT_TYPES } from './model/action.ts';
import type { What } from './model/event.ts';
import { next } from './next/next.ts';
import { newRun, Story, swarmPlan } from './next/samples.ts';
import { DEFAULT_ANSWERS, makeEnginePolicy } from './policy.ts';

const HOUR_MS = 3_600_000;
const NOON = 1_800_000_000_000;

function policy(lines = '', env: Readonly<Record<string, string>> = {}) {
  return makeEnginePolicy(workflowSettings(parseConfig(`[repo]\nsource = "/s"\n[workflow]\n${lines}\n`, 'config.toml'), env));
}

test('the defaults are those of the tables', () => {
  expect(policy()).toEqual({
    maxAgents: 4,
    stageTimeoutMs: 4 * HOUR_MS,
    runTimeoutMs: 24 * HOUR_MS,
    allowPartial: true,
    answers: DEFAULT_ANSWERS,
    providers: { failures: 3, retryAfterMs: 15 * 60_000, states: {}, defaultAgent: 'claude', accountOf: expect.any(Function) },
    startTimeoutMs: HOUR_MS / 4,
    nudgeTimeoutMs: 30_000,
    queueTimeoutMs: HOUR_MS,
    saveTimeoutMs: 30_000,
    checkpointEveryMs: 60_000,
    checkpointTypes: CHECKPOINT_TYPES,
    keepCheckpoints: 10,
    continueWithout: ['reviewer'],
    limits: STRATEGY_LIMITS,
    retry: RETRY_TABLE,
  });
});

/** Where a figure is set. The later ones win. */
interface Set {
  readonly config?: true;
  readonly env?: true;
  readonly workflow?: true;
  readonly stage?: true;
}

const CONFIG = 'timeout_secs = 7200\nstage_timeout_secs = 7200';
const ENV = { LLMC_WORKFLOW_TIMEOUT: '3h', LLMC_STAGE_TIMEOUT: '3h' };

/** How long the first stage and the run have, as the core decides it. */
function hours({ config, env, workflow, stage }: Set): { readonly stage: number; readonly run: number } {
  const figures = policy(config && CONFIG, env && ENV);
  const plan = {
    ...swarmPlan((stages) => stages.map((one) => (stage ? { ...one, timeoutMs: 5 * HOUR_MS } : one))),
    timeoutMs: workflow && 6 * HOUR_MS,
  };
  let run = newRun(plan, NOON);
  const tell = (what: What, at: number) => {
    run = next(run, { key: `${what.kind}-${at}`, at, dice: 0, what }, figures).run;
    return run;
  };
  tell({ kind: 'begin' }, NOON);
  const { state } = tell({ kind: 'started', action: 'swarm-1.1' }, NOON).steps.research ?? {};
  if (state?.kind !== 'working' || state.deadline === null) throw new Error('no agent works');
  let ended = 0;
  while (run.status === 'running') {
    ended += 1;
    tell({ kind: 'tick' }, NOON + ended * HOUR_MS);
  }
  return { stage: (state.deadline.at - NOON) / HOUR_MS, run: ended };
}

describe('a stage wins over its workflow, that over LLMC_*, that over the file, that over the default', () => {
  test.each<readonly [string, Set, { readonly stage: number; readonly run: number }]>([
    ['nothing is set', {}, { stage: 4, run: 24 }],
    ['config.toml', { config: true }, { stage: 2, run: 2 }],
    ['LLMC_* over config.toml', { config: true, env: true }, { stage: 3, run: 3 }],
    ['the workflow over LLMC_*', { config: true, env: true, workflow: true }, { stage: 3, run: 6 }],
    ['the stage over all of them', { config: true, env: true, workflow: true, stage: true }, { stage: 5, run: 6 }],
    ['LLMC_* alone', { env: true }, { stage: 3, run: 3 }],
    ['the workflow alone', { workflow: true }, { stage: 4, run: 6 }],
    ['the stage alone', { stage: true }, { stage: 5, run: 24 }],
  ])('%s', (_name, set, expected) => {
    expect(hours(set)).toEqual(expected);
  });
});

describe('a swarm whose agents crash', () => {
  const reading = readWorkflow(readFileSync(join(builtInFolder(), 'swarm.yaml'), 'utf8'), { agents: ['claude', 'codex'], name: 'swarm' });
  if (reading.kind === 'invalid') throw new Error('swarm.yaml has problems');
  const { plan } = reading;
  const without = (config: string) => new Story(plan, policy(config));
  const lose = (story: Story, step: string) => {
    for (let crashes = 0; crashes < 2; crashes += 1) story.crash(step).tick(10_000);
    return story;
  };

  test('asks about its researcher, and recommends to skip it: continueWithoutResearcher = false', () => {
    const { run } = lose(without(''), 'research');
    expect(run.escalations).toMatchObject([{ type: 'unavailable', step: 'research', recommended: 'skip', answer: null, deadline: null }]);
  });

  test('goes on without its researcher by itself if the configuration says so', () => {
    const story = lose(without('continue_without = ["researcher", "reviewer"]'), 'research');
    expect(story.run.escalations).toEqual([]);
    expect(story.states()).toMatchObject({ research: 'skipped', develop: 'acting' });
    expect(story.run.warnings).toEqual(['No agent can work as researcher. Its stages are skipped.']);
  });

  test('goes on without its reviewer by itself, and marks the work', () => {
    const story = lose(without('').work('research').work('develop', 'c1'), 'review');
    expect(story.run.steps.develop?.marks).toEqual(['unverified']);
    expect(story.run.level).toBe('minimal');
  });

  test('asks about its reviewer if the configuration says so', () => {
    const story = lose(without('continue_without = []').work('research').work('develop', 'c1'), 'review');
    expect(story.run.escalations).toMatchObject([{ type: 'unavailable', step: 'review', recommended: 'skip' }]);
  });

  test('ends without its developer, whatever the configuration says: the file comes first', () => {
    const story = without('continue_without = ["developer"]').work('research');
    for (let crashes = 0; crashes < 4; crashes += 1) story.crash('develop').tick(10_000);
    expect(story.run.status).toBe('failed');
  });
});

describe('retries', () => {
  test('general figures count for operations that have none of their own', () => {
    const { retry } = policy('max_retries = 9\nretry_backoff = 3', { LLMC_RETRY_DELAY: '50' });
    expect(retry.default).toMatchObject({ maxRetries: 9, initialDelayMs: 50, backoffMultiplier: 3 });
    expect(retry.databaseWrite).toMatchObject({ maxRetries: 3, initialDelayMs: 100, backoffMultiplier: 3 });
  });

  test('which codes are tried again can be said', () => {
    const { retry } = policy('retryable_errors = ["LOCK_BUSY", "PERMISSION_DENIED"]');
    expect(retry.databaseWrite.retryableErrors).toEqual(['LOCK_BUSY', 'PERMISSION_DENIED']);
    expect(() => policy('retryable_errors = ["LOCK_BUZY"]')).toThrow('LOCK_BUSY');
  });

  test('an operation has its own table', () => {
    const { retry } = policy('[workflow.retry.agent_spawn]\nmax_retries = 0\nmax_delay_ms = 1\njitter = 0\nbackoff = 4\ndelay_ms = 7');
    expect(retry.agentSpawn).toMatchObject({ maxRetries: 0, initialDelayMs: 7, maxDelayMs: 1, jitter: 0, backoffMultiplier: 4 });
  });
});

describe('checkpoints', () => {
  test.each([
    ['', CHECKPOINT_TYPES],
    ['checkpoints = false', ['manual']],
    ['checkpoint_on_stage = false', ['session_start', 'periodic', 'before_retry', 'error_recovery', 'manual']],
    ['checkpoint_on_error = false', ['session_start', 'stage_complete', 'periodic', 'manual']],
  ])('with %j: %j', (line, types) => {
    expect(policy(line).checkpointTypes).toEqual(types);
  });

  test('that are off make no run wake up', () => {
    expect(policy('checkpoints = false').checkpointEveryMs).toBe(Number.POSITIVE_INFINITY);
  });
});
