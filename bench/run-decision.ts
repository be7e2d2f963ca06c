import { decideAll } from '../src/workflow/engine/decide.ts';
import type { What } from '../src/workflow/model/event.ts';
import { POLICY } from '../src/workflow/next/samples.ts';
import type { RunStore } from '../src/workflow/store/ports.ts';
import { type Comparison, compare, timed, timedAsync } from './compare.ts';
import { beginRun, makeRunWorld, planWith } from './run-world.ts';

const STAGES = 20;
/** Each stage has three events: its agent has the task, has finished it, and its commit is collected. */
const EVENTS = 3 * STAGES;
const RUNS = 5;

/** Measures the decision on one event of a run and its commit. The yardstick is one durable row in a bare journal. */
export async function runDecision(): Promise<Comparison> {
  using world = makeRunWorld();
  const { runs, insert } = world;
  const plan = planWith(STAGES);
  const decide = () =>
    decideAll(
      {
        runs,
        clock: { now: Date.now },
        policy: () => Promise.resolve({ ...POLICY, maxAgents: 4 }),
        fault: () => undefined,
        announce: () => undefined,
      },
      new Set(),
    );
  let count = 0;
  let last = '';

  /** Stores the event that the run waits for; a new run after each that has ended. */
  const post = async () => {
    const id = `parts-${Math.floor(count / EVENTS) + 1}`;
    if (count % EVENTS === 0) {
      await beginRun(runs, id, plan);
      await decide();
    }
    const event = { key: `event:${count}`, at: Date.now(), dice: 0, what: await expected(runs, id) };
    last = JSON.stringify(event);
    await runs.post(id, event);
    count += 1;
  };

  const result = await compare({
    name: 'decision on an event of a run, and its commit',
    yardstick: 'one durable SQLite insert',
    aim: 3,
    rounds: (RUNS - 1) * EVENTS,
    warmUps: EVENTS,
    async ours() {
      await post();
      return await timedAsync(decide);
    },
    measureYardstick: () => timed(() => insert(last)),
  });
  const done = (await runs.list()).filter(({ status }) => status === 'done').length;
  if (done !== RUNS) throw new Error(`${done} of ${RUNS} runs are done`);
  return result;
}

/** What an agent without any delay would report next. */
async function expected(runs: RunStore, id: string): Promise<What> {
  const run = await runs.load(id);
  const states = Object.values(run?.steps ?? {}).map(({ state }) => state);
  const state = states.find(({ kind }) => kind === 'acting' || kind === 'working');
  if (state?.kind === 'working') return { kind: 'finished', action: state.action };
  if (state?.kind !== 'acting') throw new Error(`${id} waits for nothing`);
  const { action, doing } = state;
  const result = { artifacts: {}, commit: action.padStart(40, '0'), answer: null, verdict: null };
  return doing === 'collect' ? { kind: 'collected', action, result } : { kind: 'started', action };
}
