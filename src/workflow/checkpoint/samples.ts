import { errorRecord } from '../../recovery/error-record.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import type { RunEvent, What } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { next } from '../next/next.ts';
import { newRun, POLICY, result, swarmPlan } from '../next/samples.ts';
import type { RunPolicy } from '../next/turn.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { SqliteCheckpoints } from './sqlite-checkpoints.ts';

export const NOON = 1_800_000_000_000;

/** A stored run that is told events one after the other. */
export class StoredStory {
  readonly database: Database;
  readonly runs: SqliteRuns;
  readonly checkpoints: SqliteCheckpoints;
  readonly records: SqliteRecords;
  readonly policy: RunPolicy;
  at = NOON;
  #events = 0;

  private constructor(policy: Partial<RunPolicy>, database: Database) {
    this.policy = { ...POLICY, ...policy };
    this.database = database;
    this.runs = new SqliteRuns(database);
    this.checkpoints = new SqliteCheckpoints(database);
    this.records = new SqliteRecords(database);
  }

  static async begin(
    policy: Partial<RunPolicy> = {},
    database: Database = openDatabase(':memory:'),
    run: Run = newRun(swarmPlan(), NOON),
  ): Promise<StoredStory> {
    const story = new StoredStory(policy, database);
    await story.runs.create(run, { key: 'e0', at: NOON, dice: 0, what: { kind: 'begin' } });
    await story.#decide({ kind: 'begin' }, 'e0');
    return story;
  }

  async run(): Promise<Run> {
    const run = await this.runs.load('swarm-1');
    if (run === undefined) throw new Error('the run is gone');
    return run;
  }

  async tell(what: What, afterMs = 1_000): Promise<void> {
    this.at += afterMs;
    this.#events += 1;
    const key = `${what.kind === 'message' ? 'message:' : ''}e${this.#events}`;
    await this.runs.post('swarm-1', { key, at: this.at, dice: 0, what });
    await this.#decide(what, key);
  }

  async #decide(what: What, key: string): Promise<void> {
    await this.#commit({ key, at: this.at, dice: 0, what });
  }

  /** Decides on what others have posted, as the engine does. */
  async decideAll(): Promise<void> {
    for (const one of await this.runs.undecided()) if ('event' in one) await this.#commit(one.event);
  }

  async #commit(event: RunEvent): Promise<void> {
    const run = await this.run();
    const { keepCheckpoints } = this.policy;
    const decision = next(run, event, this.policy);
    await this.runs.commit({ version: run.version, event: event.key, decision, wakeAt: null, at: this.at, keepCheckpoints });
  }

  async action(step: string): Promise<string> {
    const state = (await this.run()).steps[step]?.state;
    if (state?.kind !== 'acting' && state?.kind !== 'working') throw new Error(`${step} is ${state?.kind}`);
    return state.action;
  }

  async work(step: string, commit: string | null = null): Promise<void> {
    await this.tell({ kind: 'started', action: await this.action(step) });
    await this.tell({ kind: 'finished', action: await this.action(step) });
    await this.tell({ kind: 'collected', action: await this.action(step), result: result({ commit }) });
  }

  async crash(step: string): Promise<void> {
    const action = await this.action(step);
    const error = errorRecord({ id: action, code: 'AGENT_CRASHED', message: 'status 1', component: step, at: this.at });
    await this.tell({ kind: 'started', action });
    await this.tell({ kind: 'crashed', action, error });
  }

  /** Its agents crash until no agent is left for the role. */
  async lose(step: string): Promise<void> {
    while ((await this.run()).status === 'running') {
      await this.crash(step);
      await this.tell({ kind: 'tick' }, 60_000);
    }
  }

  async states(): Promise<Readonly<Record<string, string>>> {
    return Object.fromEntries(Object.values((await this.run()).steps).map(({ address, state }) => [address, state.kind]));
  }

  /** Changes a stored checkpoint as a failing disk would. */
  damage(id: string): void {
    this.database.prepare("UPDATE checkpoints SET state_json = replace(state_json, 'research', 'resaerch') WHERE id = ?").run(id);
  }
}
