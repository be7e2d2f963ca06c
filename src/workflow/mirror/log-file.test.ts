import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { FaultPoint } from '../../base/fault.ts';
import { errorRecord } from '../../recovery/error-record.ts';
import { openDatabase } from '../../store/database.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import type { What } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { next } from '../next/next.ts';
import { newRun, POLICY, swarmPlan } from '../next/samples.ts';
import type { RunStore } from '../store/ports.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { runsWithLogFile, writeMissingLogs } from './log-file.ts';

const NOON = 1_800_000_000_000;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'llmc-log-file-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const HOSTILE = 'status 1\u001b[2J\n- error_log: []\n"}\u202e: &a *a';

class Logged {
  at = NOON;
  killAt: FaultPoint | undefined;
  readonly #database = openDatabase(':memory:');
  readonly #runs = new SqliteRuns(this.#database);
  readonly #options = {
    files: systemFiles,
    clock: { now: () => this.at },
    records: new SqliteRecords(this.#database),
    folderOf: (run: string) => join(root, run),
    fault: (point: FaultPoint) => {
      if (point === this.killAt) throw new Error('killed');
    },
  };
  readonly #logged = runsWithLogFile(plain(this.#runs), this.#options);
  #events = 0;

  static async begin(): Promise<Logged> {
    const logged = new Logged();
    await logged.#runs.create(newRun(swarmPlan(), NOON), { key: 'e0', at: NOON, dice: 0, what: { kind: 'begin' } });
    await logged.#decide('e0', { kind: 'begin' });
    return logged;
  }

  async run(): Promise<Run> {
    const run = await this.#runs.load('swarm-1');
    if (run === undefined) throw new Error('the run is gone');
    return run;
  }

  async tell(what: What): Promise<void> {
    this.at += 1_000;
    this.#events += 1;
    const key = `e${this.#events}`;
    await this.#runs.post('swarm-1', { key, at: this.at, dice: 0, what });
    await this.#decide(key, what);
  }

  async #decide(key: string, what: What): Promise<void> {
    const run = await this.run();
    const decision = next(run, { key, at: this.at, dice: 0, what }, POLICY);
    await this.#logged.commit({ version: run.version, event: key, decision, wakeAt: null, at: this.at });
  }

  async crash(step: string): Promise<void> {
    const state = (await this.run()).steps[step]?.state;
    const action = state?.kind === 'acting' || state?.kind === 'working' ? state.action : '';
    const error = errorRecord({ id: action, code: 'AGENT_CRASHED', message: HOSTILE, component: step, at: this.at });
    await this.tell({ kind: 'crashed', action, error });
  }

  startAgain(): Promise<void> {
    return writeMissingLogs(this.#runs, this.#options);
  }

  path = () => join(root, 'swarm-1/log.yaml');
  text = (): string => readFileSync(this.path(), 'utf8');
  read = (): unknown => parse(this.text());
}

function plain(runs: SqliteRuns): RunStore {
  return {
    create: runs.create.bind(runs),
    load: runs.load.bind(runs),
    list: runs.list.bind(runs),
    post: runs.post.bind(runs),
    undecided: runs.undecided.bind(runs),
    commit: runs.commit.bind(runs),
    note: runs.note.bind(runs),

    providers: runs.providers.bind(runs),
    retried: runs.retried.bind(runs),
    due: runs.due.bind(runs),
    nextDue: runs.nextDue.bind(runs),
  };
}

describe('the log of a run that has ended', () => {
  test('has every failure with its stage, its try and what became of it, and every decision', async () => {
    const logged = await Logged.begin();
    await logged.crash('research');
    expect(systemFiles.exists(logged.path())).toBe(false);
    await logged.tell({ kind: 'abort', why: 'enough' });
    expect(logged.read()).toMatchObject({
      workflow_id: 'swarm-1',
      workflow: 'swarm',
      status: 'aborted',
      started: '2027-01-15T08:00:00.000Z',
      ended: '2027-01-15T08:00:02.000Z',
      error_log: [
        {
          timestamp: '2027-01-15T08:00:01.000Z',
          workflow_id: 'swarm-1',
          stage: 'research',
          error_type: 'AGENT_CRASHED',
          severity: 'error',
          context: { role: 'researcher', item: null, attempt: 1 },
          resolution: { action_taken: 'restart', successful: false },
        },
        {
          stage: 'run',
          error_type: 'CANCELLED',
          message: 'enough',
          context: { agent: null, item: null, attempt: null },
          resolution: { action_taken: null, successful: false },
        },
      ],
    });
    expect(logged.text()).toContain('the run was aborted: enough');
    expect(statSync(logged.path()).mode & 0o777).toBe(0o600);
  });

  test('shows hostile texts as texts', async () => {
    const logged = await Logged.begin();
    await logged.crash('research');
    await logged.tell({ kind: 'abort', why: HOSTILE });
    expect(logged.text()).not.toMatch(/[\u001b\u202e]/);
    expect(logged.read()).toMatchObject({ error_log: [{ message: expect.stringContaining('<U+001B>[2J\n- error_log: []') }, {}] });
  });

  test.each(['run-log:before-write', 'run-log:before-rename'] as const)(
    'is written by the next start after a kill at %s',
    async (point) => {
      const logged = await Logged.begin();
      logged.killAt = point;
      await logged.tell({ kind: 'abort', why: 'enough' });
      expect(systemFiles.exists(logged.path())).toBe(false);
      logged.killAt = undefined;
      await logged.startAgain();
      expect(logged.read()).toMatchObject({ status: 'aborted' });
    },
  );

  test('is written again only if it is older than its run, or not whole', async () => {
    const logged = await Logged.begin();
    await logged.tell({ kind: 'abort', why: 'enough' });
    const whole = logged.text();
    logged.at += 60_000;
    await logged.startAgain();
    expect(logged.text()).toBe(whole);
    logged.killAt = 'run-log:before-write';
    await logged.tell({ kind: 'kept', action: 'a', seat: 'researcher', why: 'a person has its work' });
    logged.killAt = undefined;
    expect(logged.text()).toBe(whole);
    await logged.startAgain();
    expect(logged.text()).toContain('researcher stays: a person has its work');
    writeFileSync(logged.path(), whole.slice(0, 200));
    await logged.startAgain();
    expect(logged.read()).toMatchObject({ status: 'aborted' });
  });
});
