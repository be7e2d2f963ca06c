import { describe, expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { aLimit, NOON } from '../../recovery/cases/samples.ts';
import type { Worker } from '../../store/state.ts';
import { aConfig, aState, aWorker } from '../samples.ts';
import { pickIdle } from './pick.ts';
import { agentFor, switchAgent } from './switch-agent.ts';

const CONFIG = aConfig(
  '[agents.claude]\nfallback = "codex"\n[agents.codex]\nfallback = "claude"\n[agents.spare]\nextends = "claude"\naccount = "spare"',
);

/** Adam, then eve; these accounts rest. */
const state = (resting: readonly string[], ...workers: readonly Worker[]) => ({
  ...aState(...workers),
  limits: Object.fromEntries(resting.map((account) => [account, aLimit({ account })])),
});
const runs = (name: string, agent: string, changes: Partial<Worker> = {}) => aWorker({ name, agent, ...changes });

describe('who works', () => {
  test.each<[string, readonly string[], Worker, string | undefined]>([
    ['its own agent', [], runs('adam', 'claude'), 'claude'],
    ['the fallback, while that one waits', ['claude'], runs('adam', 'claude'), 'codex'],
    ['nobody, when both wait', ['claude', 'codex'], runs('adam', 'claude'), undefined],
    ['one with an account of its own', ['claude'], runs('adam', 'spare'), 'spare'],
    ['nobody, when it has no fallback', ['spare'], runs('adam', 'spare'), undefined],
    ['its own again, when the limit is over', ['codex'], runs('adam', 'codex', { stand_in: 'codex' }), 'claude'],
    ['the stand-in as long as it is not', ['claude'], runs('adam', 'codex', { stand_in: 'codex' }), 'codex'],
  ])('%s', (_, resting, worker, agent) => {
    expect(agentFor(state(resting, worker), CONFIG, worker, NOON)).toBe(agent);
  });

  test('a limit that is over keeps nobody', () => {
    const adam = runs('adam', 'spare');
    for (const limit of [aLimit({ account: 'spare', until_ms: NOON }), aLimit({ account: 'spare', ended_ms: NOON - 1 })])
      expect(agentFor({ ...aState(adam), limits: { spare: limit } }, CONFIG, adam, NOON)).toBe('spare');
  });
});

describe('who gets a task while an account rests', () => {
  const [adam, eve] = [runs('adam', 'claude'), runs('eve', 'spare')];

  test.each<[string, readonly string[], readonly Worker[], string]>([
    ['the first, as always, when none does', [], [adam, eve], 'adam'],
    ['one that need not wait', ['claude'], [adam, eve], 'eve'],
    ['one whose agent can be replaced, when all others wait', ['claude', 'spare'], [eve, adam], 'adam'],
    ['one whose agent was replaced already', ['claude'], [adam, runs('bob', 'codex', { stand_in: 'codex' })], 'bob'],
  ])('%s', (_, resting, workers, name) => {
    expect(pickIdle(state(resting, ...workers), CONFIG, NOON).name).toBe(name);
  });

  test('nobody, when all wait: refused with what for and until when', () => {
    const all = state(['spare'], eve);
    const refusal = { code: 'RATE_LIMITED', message: expect.stringMatching(/usage limit of spare until .*\d\d:\d\d/) };
    expect(() => pickIdle(all, CONFIG, NOON)).toThrow(expect.objectContaining(refusal));
  });
});

describe('letting another agent work', () => {
  async function change(worker: Partial<Worker>, agent: string, restart: () => Promise<void> = async () => undefined) {
    const restarted: string[] = [];
    const restartAgent = async (name: string) => {
      restarted.push(name);
      await restart();
    };
    await using work = await scratchWork({ worker, agents: { restart: restartAgent } });
    const config = aConfig('[workers.adam]\nagent = "demo"');
    const failed = await switchAgent(work.context, config, 'adam', agent).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { restarted, failed, stand_in: work.context.store.worker('adam').stand_in };
  }

  test.each<[string, Partial<Worker>, string, { restarted: readonly string[]; stand_in: string | null }]>([
    ['its own needs no change', { agent: 'demo' }, 'demo', { restarted: [], stand_in: null }],
    ['a stand-in is written down and started', { agent: 'demo' }, 'codex', { restarted: ['adam'], stand_in: 'codex' }],
    ['one that is there already stays', { agent: 'codex', stand_in: 'codex' }, 'codex', { restarted: [], stand_in: 'codex' }],
    ['its own comes back', { agent: 'codex', stand_in: 'codex' }, 'demo', { restarted: ['adam'], stand_in: null }],
    [
      'one that was written down and never started is forgotten',
      { agent: 'demo', stand_in: 'codex' },
      'demo',
      { restarted: [], stand_in: null },
    ],
  ])('%s', async (_, worker, agent, expected) => {
    expect(await change(worker, agent)).toMatchObject({ ...expected, failed: undefined });
  });

  test('one that cannot be started leaves all as it was', async () => {
    const broken = new Error('no such program');
    const result = await change({ agent: 'demo' }, 'codex', async () => Promise.reject(broken));
    expect(result).toMatchObject({ failed: broken, stand_in: null });
  });
});
