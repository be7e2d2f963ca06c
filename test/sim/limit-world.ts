import { randomUUID } from 'node:crypto';
import type { Config } from '../../src/config/schema.ts';
import { goesOnAt } from '../../src/recovery/go-on-time.ts';
import { LIMIT_POLICY } from '../../src/recovery/policies/limit-policy.ts';
import { isHolding } from '../../src/recovery/usage-limit.ts';
import type { Store } from '../../src/store/store.ts';
import { ackedDeliveries, type Delivery, nextDelivery, updateDelivery } from '../../src/store/tables/deliveries.ts';
import { lastEventSeq, readEvents, recordEvent } from '../../src/store/tables/events.ts';
import { assessWorker } from '../../src/supervisor/assess/assess-worker.ts';
import { decideDelivery } from '../../src/supervisor/deliver/decide-delivery.ts';
import type { DeliveryView } from '../../src/supervisor/deliver/delivery-step.ts';
import { handleLimit } from '../../src/supervisor/limits/handle-limit.ts';
import { endLimits, parkedUntil } from '../../src/supervisor/limits/parking.ts';
import { addReport, NOTHING_REPORTED } from '../../src/supervisor/observe/reported.ts';
import { noteCapture } from '../../src/supervisor/observe/screen-watch.ts';
import type { Watch } from '../../src/supervisor/observe/watch.ts';
import { aPane, aReading, aTmuxWatch, aWatch } from '../../src/supervisor/samples.ts';
import { screenFromText } from '../../src/terminal/screen.ts';
import type { WorkContext } from '../../src/workers/context.ts';
import { liftLimit } from '../../src/workers/lift-limit.ts';
import { prepareDelivery } from '../../src/workers/prompt/enqueue.ts';
import { aConfig, aState, aWorker } from '../../src/workers/samples.ts';
import { move } from '../../src/workers/status/move.ts';
import { seededRandom } from '../crash/seeded-random.ts';
import { AFTER_LIMIT_PROMPT } from '../support/prompts.ts';
import { scratchStore } from '../support/scratch-store.ts';
import { MANNERS, SimAccount, SimAgent } from './limit-agent.ts';

const PASS_MS = 1_000;
const LIVELY_MS = 5_000;
const POLICY = { ackTimeoutMs: 2_000, enterRetryCount: 3, enterRetryDelayMs: 200, maxAttempts: 3, personPauseMs: 4_000 };

export interface Outcome {
  /** Events that must not happen. */
  readonly wrongs: readonly string[];
  readonly received: ReadonlyMap<string, readonly string[]>;
  readonly strikes: number;
}

/**
 * Simulates a root whose clock jumps from one event to the next: the real state file, ledger and decisions, with agents behind services
 * that refuse turns for a while, repeatedly. Sometimes the supervisor loses its memory, and sometimes a person lifts a limit too early.
 */
export async function simulate(seed: number, workers: number, tasks: number, longestMs: number): Promise<Outcome> {
  const next = seededRandom(seed);
  const accounts = MANNERS.map((manner) => new SimAccount(manner, manner, next));
  const names = Array.from({ length: workers }, (_, index) => `w${index}`);
  const accountOf = (name: string) => accounts[names.indexOf(name) % accounts.length] ?? new SimAccount('none', 'names', next);
  using scratch = scratchStore(aState(...names.map((name) => aWorker({ name, agent: accountOf(name).name }))));
  const start = scratch.clock.now();
  const agents = new Map(names.map((name) => [name, new SimAgent(name, accountOf(name), next, start)]));
  const store = scratch.open();
  // The simulation needs no durability, and each wait for the disk costs more than all decisions together.
  store.database.exec('PRAGMA synchronous = OFF');
  const config = aConfig(accounts.map(({ name }) => `[agents.${name}]\nextends = "demo"\naccount = "${name}"`).join('\n'));
  const random = { next, id: randomUUID };
  const context = {
    store,
    clock: scratch.clock,
    random,
    layout: scratch.layout,
    config: async () => config,
    keepWorktree: async () => undefined,
    agents: {
      restart: async () => undefined,
      resumeConversation: async () => false,
      keepWorktree: async () => undefined,
      interrupt: async () => undefined,
      progressAt: () => undefined,
      continuesByItself: () => false,
      whyNotAlone: async () => undefined,
      answer: async () => false,
    },
  };
  const wrongs: string[] = [];
  const given = new Map(names.map((name) => [name, 0]));
  let watches = recalled(store, names, start);
  let strikes = 0;

  const step = async (watch: Watch, agent: SimAgent): Promise<void> => {
    const now = scratch.clock.now();
    for (const { at, event } of agent.spool.splice(0)) {
      const spooled = { id: randomUUID(), worker: agent.name, incarnation: 1, name: event.kind, at, payload: null };
      const recorded = recordEvent(store.database, spooled, event, 'applied');
      if (recorded !== undefined) watch.reported = addReport(watch.reported, recorded);
      if (event.kind === 'turn_ended') endTurn(store, agent.name, now);
    }
    noteCapture(watch, { screen: screenFromText(agent.screen.kind), reading: aReading(agent.screen) }, now);
    assessWorker(watch, now);
    giveWork(context, given, agent.name, tasks, now);
    if ((await handleLimit(context, watch, config)) === 'acted') return;
    const row = nextDelivery(store.database, agent.name);
    if (row !== undefined) deliver(watch, agent, row, now);
  };

  const deliver = (watch: Watch, agent: SimAgent, row: Delivery, now: number): void => {
    const ack = watch.reported.accepted.find(({ seq, text }) => seq > (row.after_event ?? 0) && text === row.text);
    const decision = decideDelivery(row, { ...viewOf(watch), ack, parked: parkedUntil(context, watch, config, now)?.why }, POLICY, now);
    if (decision.kind === 'ack')
      updateDelivery(store.database, row.id, { state: 'acked', acked_event: decision.event, ack_source: 'hook', acked_ms: now });
    if (decision.kind === 'hold') updateDelivery(store.database, row.id, { state: 'held', reason: decision.reason });
    if (decision.kind === 'fail' || decision.kind === 'requeue') wrongs.push(`${agent.name}: ${decision.kind}, ${decision.why}`);
    if (decision.kind !== 'type') return;
    const sent = {
      sent_text: row.text,
      attempt: row.attempt + 1,
      incarnation: 1,
      after_event: lastEventSeq(store.database),
      typed_ms: now,
      submitted_ms: now,
    };
    updateDelivery(store.database, row.id, { state: 'submitted', reason: null, ...sent });
    const limit = store.state.limits[agent.account.name];
    if (isHolding(limit, now)) wrongs.push(`${agent.name} was sent a prompt while its account was parked`);
    if (row.text === AFTER_LIMIT_PROMPT && limit?.ended_ms) {
      strikes += 1;
      const byItself = watch.assessment.activity.kind === 'waiting_limit' && watch.assessment.activity.continuesByItself;
      const sharers = names.filter((name) => agents.get(name)?.account === agent.account);
      const late = now - Math.max(goesOnAt(limit, agent.name, sharers, byItself, LIMIT_POLICY), agent.stoppedAt ?? now);
      if (late > 5 * PASS_MS + POLICY.ackTimeoutMs) wrongs.push(`${agent.name} got the prompt to continue ${late} ms late`);
    }
    agent.receive(row.text, now);
  };

  const isOver = () => names.every((name) => given.get(name) === tasks && store.worker(name).status === 'idle');
  while (!isOver() && scratch.clock.now() - start < longestMs) {
    endLimits(context);
    if (next() < 0.01) watches = recalled(store, names, scratch.clock.now());
    for (const agent of agents.values()) agent.live(scratch.clock.now());
    for (const name of names) {
      const [watch, agent] = [watches.get(name), agents.get(name)];
      if (watch !== undefined && agent !== undefined) await step(watch, agent);
    }
    const resting = Object.values(store.state.limits).filter((limit) => isHolding(limit, scratch.clock.now()));
    if (resting[0] !== undefined && next() < 0.002) await liftLimit(context, resting[0].account);
    scratch.clock.set(scratch.clock.now() + pauseMs(context, config, [...agents.values()], watches));
  }
  if (!isOver()) wrongs.push(`not over after ${longestMs} ms: ${names.filter((name) => store.worker(name).status !== 'idle').join(', ')}`);
  for (const { name, complaints } of agents.values()) wrongs.push(...complaints.map((complaint) => `${name} ${complaint}`));
  return { wrongs, received: new Map([...agents].map(([name, { received }]) => [name, received])), strikes };
}

type SimContext = Pick<WorkContext, 'store' | 'clock' | 'random' | 'layout' | 'config' | 'agents'>;

/** The memory of a new supervisor: it knows the database, but not since when a screen has been unchanged. */
function recalled(store: Store, names: readonly string[], now: number): Map<string, Watch> {
  return new Map(
    names.map((name) => {
      const reported = readEvents(store.database, name, 1).reduce(addReport, NOTHING_REPORTED);
      return [name, aWatch({ name, now, tmux: aTmuxWatch(aPane({ session: `llmc-${name}` })), reported })];
    }),
  );
}

/** Gives a task to an idle worker, and sometimes a message to a busy one. */
function giveWork(context: SimContext, given: Map<string, number>, name: string, tasks: number, now: number): void {
  const { store, random } = context;
  const count = given.get(name) ?? 0;
  const isIdle = store.worker(name).status === 'idle';
  if (isIdle ? count === tasks : random.next() > 0.002) return;
  const text = isIdle ? `task ${count} of ${name}` : `word ${random.id()}`;
  const purpose = isIdle ? 'task' : 'message';
  const delivery = prepareDelivery(context, { worker: name, purpose, text, freshConversation: false });
  if (isIdle) given.set(name, count + 1);
  store.commit({
    worker: name,
    kind: 'status',
    summary: text,
    state: (draft) => {
      const worker = draft.workers[name];
      if (worker !== undefined && isIdle) move(worker, 'assigned', now, { current_prompt: text });
    },
    rows: delivery.write,
  });
}

/** Ends a turn: the commit is accepted at once, unless another prompt waits. */
function endTurn(store: Store, name: string, now: number): void {
  for (const row of ackedDeliveries(store.database, name)) updateDelivery(store.database, row.id, { state: 'done', done_ms: now });
  if (nextDelivery(store.database, name) !== undefined) return;
  store.commit({
    worker: name,
    kind: 'status',
    summary: 'done',
    state: (draft) => {
      const worker = draft.workers[name];
      if (worker !== undefined) move(worker, 'reset', now, { current_prompt: null });
    },
  });
}

function viewOf(watch: Watch): DeliveryView {
  return {
    assessment: watch.assessment,
    incarnation: 1,
    pane: undefined,
    screen: watch.screen.capture,
    ack: undefined,
    written: false,
    shown: false,
    tookAnother: false,
    personTypedAt: undefined,
    conversationUsed: false,
    leftover: false,
    clearTyped: false,
    worked: false,
    wipedAt: undefined,
    redraw: undefined,
    clearing: undefined,
    enters: undefined,
  };
}

/** The time until the next possible event; one second for a while after each event. */
function pauseMs(context: SimContext, config: Config, agents: readonly SimAgent[], watches: ReadonlyMap<string, Watch>): number {
  const now = context.clock.now();
  const isLively = agents.some(({ name, changedAt }) => {
    const row = nextDelivery(context.store.database, name);
    return now - changedAt < LIVELY_MS || (row !== undefined && row.state !== 'held');
  });
  if (isLively) return PASS_MS;
  const limits = Object.values(context.store.state.limits).filter((limit) => isHolding(limit, now));
  const times = [
    ...agents.flatMap(({ nextAt }) => nextAt ?? []),
    ...limits.map(({ until_ms }) => until_ms),
    ...[...watches.values()].flatMap((watch) => parkedUntil(context, watch, config, now)?.at ?? []),
  ];
  return Math.max(PASS_MS, Math.min(...times.filter((at) => at > now)) - now);
}
