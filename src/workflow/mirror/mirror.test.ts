import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Database, openDatabase } from '../../store/database.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { SqliteCheckpoints } from '../checkpoint/sqlite-checkpoints.ts';
import type { Plan } from '../definition/plan.ts';
import type { What } from '../model/event.ts';
import { isOver, type Run } from '../model/run.ts';
import { next } from '../next/next.ts';
import { CRASH, newRun, POLICY, result, sectionsPlan, swarmPlan } from '../next/samples.ts';
import { planRecovery } from '../recover/plan-recovery.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { type RunReport, reportView } from '../view/report-view.ts';
import { adoptRuns } from './adopt.ts';
import { mirroredRuns } from './mirror.ts';
import { rebuild } from './rebuild.ts';
import { runsInFiles } from './runs-in-files.ts';
import { readList, readMarker, readState, stateText } from './state-text.ts';

const NOON = 1_800_000_000_000;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'llmc-mirror-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A run whose decisions are committed through the mirror, on a clock that a test moves. */
class Mirrored {
  at = NOON;
  readonly #sleepers: (() => void)[] = [];
  readonly #end = new AbortController();
  readonly database = openDatabase(':memory:');
  readonly #runs = new SqliteRuns(this.database);
  readonly mirrored = mirroredRuns(plain(this.#runs), {
    files: systemFiles,
    records: new SqliteRecords(this.database),
    clock: {
      now: () => this.at,
      sleep: (_, signal) =>
        new Promise<void>((resolve, reject) => {
          this.#sleepers.push(resolve);
          if (signal?.aborted === true) reject(signal.reason);
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    },
    folderOf: (run) => join(root, run),
    signal: this.#end.signal,
  });
  #events = 0;

  static async begin(plan: Plan = swarmPlan(), files: Run['files'] = {}): Promise<Mirrored> {
    const mirrored = new Mirrored();
    await mirrored.#runs.create({ ...newRun(plan, NOON), files }, { key: 'e0', at: NOON, dice: 0, what: { kind: 'begin' } });
    await mirrored.#decide('e0', { kind: 'begin' });
    return mirrored;
  }

  async run(): Promise<Run> {
    const run = await this.#runs.load('swarm-1');
    if (run === undefined) throw new Error('the run is gone');
    return run;
  }

  async tell(what: What, afterMs = 10): Promise<void> {
    this.at += afterMs;
    this.#events += 1;
    const key = `e${this.#events}`;
    await this.#runs.post('swarm-1', { key, at: this.at, dice: 0, what });
    await this.#decide(key, what);
  }

  async #decide(key: string, what: What): Promise<void> {
    const run = await this.run();
    const decision = next(run, { key, at: this.at, dice: 0, what }, POLICY);
    await this.mirrored.commit({ version: run.version, event: key, decision, wakeAt: null, at: this.at });
  }

  async work(step: string, value: unknown = null): Promise<void> {
    await this.tell({ kind: 'started', action: await this.action(step) });
    await this.tell({ kind: 'finished', action: await this.action(step) });
    const artifacts = { 'outline.yaml': { path: 'p', sha256: 'h', value } };
    writeFileSync(path('p'), '');
    const verdict = step.startsWith('check') ? ({ verdict: 'approved', issues: [] } as const) : null;
    await this.tell({ kind: 'collected', action: await this.action(step), result: result({ artifacts, verdict }) });
  }

  async action(step: string): Promise<string> {
    const state = (await this.run()).steps[step]?.state;
    return state?.kind === 'acting' || state?.kind === 'working' ? state.action : '';
  }

  /** The supervisor is told to stop. */
  async stop(): Promise<void> {
    this.#end.abort();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async second(): Promise<void> {
    this.at += 1_000;
    for (const wake of this.#sleepers.splice(0)) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** As the engine has it: an object whose methods can be replaced. */
function plain(runs: SqliteRuns) {
  return {
    create: runs.create.bind(runs),
    load: runs.load.bind(runs),
    list: runs.list.bind(runs),
    post: runs.post.bind(runs),
    undecided: runs.undecided.bind(runs),
    commit: runs.commit.bind(runs),
    note: runs.note.bind(runs),

    due: runs.due.bind(runs),
    nextDue: runs.nextDue.bind(runs),
    providers: runs.providers.bind(runs),
    retried: runs.retried.bind(runs),
  };
}

const path = (name: string) => join(root, 'swarm-1', name);
const read = (name: string) => readFileSync(path(name), 'utf8');
const version = (name = 'state.yaml') => readState(read(name))?.version;

/** Two of three sections are written; the third is under way. */
async function sections(): Promise<Mirrored> {
  const mirrored = await Mirrored.begin(sectionsPlan());
  await mirrored.work('outline', { sections: [{ id: 's1' }, { id: 's2' }, { id: 's3', after: ['s1'] }] });
  for (const step of ['write/s1', 'check/s1', 'write/s2', 'check/s2']) await mirrored.work(step);
  return mirrored;
}

describe('the mirror', () => {
  test('is YAML that a person can read, and gives the run back', async () => {
    const mirrored = await sections();
    await mirrored.second();
    expect(parse(read('state.yaml'))).toMatchObject({
      workflow_id: 'swarm-1',
      workflow: 'sections',
      status: 'running',
      stage_current: ['sections'],
      stages: { outline: 'done', sections: 'under_way, 2 of 3 items', draft: 'waiting' },
    });
    expect(readState(read('state.yaml'))).toEqual(await mirrored.run());
  });

  test('is written at once when a stage ends, otherwise once a second', async () => {
    const mirrored = await Mirrored.begin();
    const begun = version();
    const state = (await mirrored.run()).steps.research?.state;
    await mirrored.tell({ kind: 'started', action: state?.kind === 'acting' ? state.action : '' });
    expect(version()).toBe(begun);
    await mirrored.second();
    expect(version()).toBe(2);
    await mirrored.tell({ kind: 'abort', why: 'enough' });
    expect(version()).toBe(3);
    expect(version('state.bak')).toBe(2);
  });

  test('is not written for each stage of an item: its marker has the result at once, and a rebuild knows it', async () => {
    const mirrored = await sections();
    const before = version();
    await mirrored.work('write/s3');
    expect(version()).toBe(before);
    const rebuilt = rebuild(systemFiles, join(root, 'swarm-1'), mirrored.at)?.before;
    const kinds = (run: Run | undefined) =>
      Object.values(run?.steps ?? {}).map((step) => `${step.address} ${isOver(step) ? step.state.kind : 'open'}`);
    expect(kinds(rebuilt).toSorted()).toEqual(kinds(await mirrored.run()).toSorted());
    expect(rebuilt?.steps['write/s3']).toEqual((await mirrored.run()).steps['write/s3']);
  });

  test('gives an item back that waits for its place in the window to begin again', async () => {
    const mirrored = await Mirrored.begin(sectionsPlan({ maxParallel: 1 }));
    await mirrored.work('outline', { sections: [{ id: 's1' }, { id: 's2' }] });
    for (const step of ['write/s1', 'check/s1']) await mirrored.work(step);
    await mirrored.tell({ kind: 'pause', now: true });
    await mirrored.tell({ kind: 'resume', how: { kind: 'again', address: 'check/s1' } }, 1_000);
    const { steps } = await mirrored.run();
    expect([steps['sections/s1'], steps['write/s1'], steps['check/s1']].map((step) => step?.state.kind)).toEqual([
      'waiting',
      'done',
      'waiting',
    ]);
    expect(rebuild(systemFiles, join(root, 'swarm-1'), mirrored.at)?.before.steps).toEqual(steps);
  });

  test('is written at once when the supervisor stops, and not over the state that another one writes then', async () => {
    const mirrored = await Mirrored.begin();
    await mirrored.tell({ kind: 'pause', now: true });
    expect(version()).toBe(1);
    await mirrored.stop();
    expect(version()).toBe(2);
    // A pass that was under way commits once more.
    await mirrored.tell({ kind: 'resume', how: { kind: 'go_on' } });
    await mirrored.stop();
    expect(version()).toBe(3);
    writeFileSync(path('state.yaml'), 'of another one');
    await mirrored.second();
    expect(read('state.yaml')).toBe('of another one');
  });

  test('that the disk damaged does not become the backup', async () => {
    const mirrored = await Mirrored.begin();
    await mirrored.tell({ kind: 'pause', now: true }, 1_000);
    expect([version(), version('state.bak')]).toEqual([2, 1]);
    writeFileSync(path('state.yaml'), read('state.yaml').slice(0, -40));
    await mirrored.tell({ kind: 'resume', how: { kind: 'go_on' } }, 1_000);
    expect([version(), version('state.bak')]).toEqual([3, 1]);
    await mirrored.tell({ kind: 'abort', why: 'enough' }, 1_000);
    expect([version(), version('state.bak')]).toEqual([4, 3]);
  });

  test('has the list of items, also if all of them begin at once, and not after the list was given up', async () => {
    const mirrored = await Mirrored.begin(sectionsPlan());
    await mirrored.work('outline', { sections: [{ id: 's1' }, { id: 's2' }] });
    expect(readList(read('stage_sections_items.yaml'))?.items).toMatchObject([{ key: 's1' }, { key: 's2' }]);
    await mirrored.tell({ kind: 'pause', now: true });
    await mirrored.tell({ kind: 'resume', how: { kind: 'again', address: 'outline' } });
    expect(readdirSync(join(root, 'swarm-1')).toSorted()).toEqual(['p', 'records.yaml', 'state.bak', 'state.yaml', 'workflow.yaml']);
  });

  test('takes whatever agents write', async () => {
    const mirrored = await Mirrored.begin(sectionsPlan());
    await mirrored.work('outline', { sections: [{ id: 's1', title: 'a\u2028b\u2029c\r\n\0\u0085\ud800 sha256: 0' }] });
    expect(readState(read('state.yaml'))).toEqual(await mirrored.run());
    expect(readList(read('stage_sections_items.yaml'))?.items).toHaveLength(1);
    expect(readMarker(read('stage_outline_complete.yaml'))?.address).toBe('outline');
  });

  test('has a marker for each stage that is complete, and none for one that was sent back', async () => {
    await sections();
    expect(readdirSync(join(root, 'swarm-1')).toSorted()).toEqual([
      'p',
      'records.yaml',
      'stage_check~s1_complete.yaml',
      'stage_check~s2_complete.yaml',
      'stage_outline_complete.yaml',
      'stage_sections_items.yaml',
      'stage_sections~s1_complete.yaml',
      'stage_sections~s2_complete.yaml',
      'stage_write~s1_complete.yaml',
      'stage_write~s2_complete.yaml',
      'state.bak',
      'state.yaml',
      'workflow.yaml',
    ]);
  });

  test.each([
    ['cut', (text: string) => text.slice(0, -40)],
    ['changed', (text: string) => text.replace('"status":"running"', '"status":"done"')],
    ['empty', () => ''],
    ['of another format', (text: string) => text.replace('format: 1', 'format: 2')],
    ['something else', () => 'a: [1, 2'],
  ])('that is %s is not believed', async (_, damage) => {
    const text = stateText(await (await sections()).run(), NOON);
    expect(readState(text)).toBeDefined();
    expect(readState(damage(text))).toBeUndefined();
  });
});

describe('a run without its database', () => {
  const restored = async () => {
    const said: string[] = [];
    const database = openDatabase(':memory:');
    const runs = new SqliteRuns(database);
    await adoptRuns(runs, { files: systemFiles, clock: { now: () => NOON + 60_000 }, folder: root, say: (line) => said.push(line) });
    return { runs, said, checkpoints: new SqliteCheckpoints(database) };
  };

  test.each([
    ['state.yaml', [], 'state.yaml'],
    ['its backup', ['state.yaml'], 'state.bak'],
    ['the markers of its stages', ['state.yaml', 'state.bak'], 'the markers of its stages'],
  ])('is rebuilt from %s, and its recovery repeats nothing that was done', async (_, damaged, source) => {
    await sections();
    for (const name of damaged) writeFileSync(path(name), 'damaged');
    const { runs, said, checkpoints } = await restored();
    expect(said).toEqual([`swarm-1 was rebuilt from ${source}, because the database does not know it. Continue: llmc recover swarm-1`]);
    const run = await runs.load('swarm-1');
    if (run === undefined) throw new Error('the run is gone');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'STATE_INVALID' } });
    const plan = planRecovery(run, await checkpoints.list('swarm-1'), { retryFailedStage: false, keepAgents: false, dropMessages: false });
    if ('kind' in plan) throw new Error(plan.kind);
    const what = { kind: 'recovered', ...plan.restored } as const;
    const { run: going, actions } = next(run, { key: 'r', at: NOON + 90_000, dice: 0, what }, POLICY);
    const done = Object.values(going.steps).filter(({ state }) => state.kind === 'done');
    expect(done.map(({ address }) => address)).toEqual(
      expect.arrayContaining(['outline', 'write/s1', 'check/s1', 'sections/s1', 'sections/s2']),
    );
    expect(actions.flatMap(({ step, task }) => (task.kind === 'attempt' ? [step] : []))).toEqual(['write/s3']);
    // No id of an action is given a second time.
    expect(going.counter).toBeGreaterThan(1_000);
  });

  test.each([[[]], [['state.yaml']], [['state.yaml', 'state.bak']]])('still has its status file without %j', async (gone) => {
    const mirrored = await Mirrored.begin(swarmPlan(), { epic: '/home/dev/epic.md' });
    await mirrored.work('research');
    for (const name of gone) rmSync(path(name));
    expect(rebuild(systemFiles, join(root, 'swarm-1'), NOON)?.run.files).toEqual({ epic: '/home/dev/epic.md' });
  });

  test('is read as it was when its files were written, while nobody has rebuilt it', async () => {
    const mirrored = await sections();
    await mirrored.second();
    const runs = runsInFiles({ files: systemFiles, clock: { now: () => NOON * 2 }, folder: root });
    const now = await mirrored.run();
    expect(await runs.list()).toEqual([
      { id: 'swarm-1', workflow: 'sections', status: 'running', version: now.version, level: 'full', createdMs: NOON, endedMs: null },
    ]);
    expect((await runs.load('swarm-1'))?.steps).toEqual(now.steps);
    for (const other of ['swarm-2', '..', '', '../swarm-1', '.']) expect(await runs.load(other)).toBeUndefined();
  });

  test('that was paused has ended, and its workers are removed a week later if nobody recovers it', async () => {
    const mirrored = await sections();
    await mirrored.tell({ kind: 'pause', now: true });
    await mirrored.second();
    const { runs } = await restored();
    expect(await runs.load('swarm-1')).toMatchObject({ status: 'failed', pause: null });
    expect(await runs.nextDue()).toBe(NOON + 60_000 + 7 * 86_400_000);
  });

  test('that has ended is put back as it was', async () => {
    const mirrored = await Mirrored.begin();
    await mirrored.tell({ kind: 'abort', why: 'enough' });
    expect(await (await restored()).runs.load('swarm-1')).toMatchObject({ status: 'aborted', error: { message: 'enough' } });
  });

  test('whose files are all damaged is named, and a run that the database knows is left alone', async () => {
    await sections();
    for (const name of ['state.yaml', 'state.bak', 'workflow.yaml']) writeFileSync(path(name), 'damaged');
    expect((await restored()).said).toEqual([expect.stringContaining('swarm-1 is not in the database, and its files in')]);
    expect(rebuild(systemFiles, join(root, 'nothing'), NOON)).toBeUndefined();
  });
});

/** Everything that the report of a run is made of. */
async function reportOf(database: Database): Promise<RunReport> {
  const records = new SqliteRecords(database);
  const run = await new SqliteRuns(database).load('swarm-1');
  if (run === undefined) throw new Error('the run is gone');
  return reportView(run, {
    errors: await records.errors('swarm-1'),
    questions: await records.questions('swarm-1'),
    retries: await records.retries('swarm-1'),
    checkpoints: [],
    partial: [],
    now: NOON,
    log: 'log',
    folder: root,
    state: '',
  });
}

test('a stage whose result is missing counts as not done when the run is read back', async () => {
  const mirrored = await sections();
  await mirrored.second();
  rmSync(join(root, 'swarm-1/p'));
  const runs = new SqliteRuns(openDatabase(':memory:'));
  const said: string[] = [];
  await adoptRuns(runs, { files: systemFiles, clock: { now: () => NOON }, folder: root, say: (line) => said.push(line) });
  expect(said[1]).toMatch(/^swarm-1: results are missing: p/);
  const run = await runs.load('swarm-1');
  expect(run?.warnings).toEqual([expect.stringMatching(/^Results are missing: p/)]);
  expect(run?.steps.outline).toMatchObject({ state: { kind: 'skipped', why: 'its result is missing' }, result: null });
});

describe('the report of a run', () => {
  /** A person answers a question, an agent crashes and a message is tried twice; then the run ends. */
  async function story(): Promise<Mirrored> {
    const mirrored = await Mirrored.begin();
    const action = await mirrored.action('research');
    await mirrored.tell({ kind: 'started', action });
    await mirrored.tell({ kind: 'asked', action, question: 'Which port?' });
    await mirrored.tell({ kind: 'decided', escalation: 1, option: 'answer', text: '8080' });
    const failed = { step: 'research', operation: 'tell an agent', attempt: 1, at: mirrored.at, delayMs: 500, error: CRASH };
    await mirrored.mirrored.retried('swarm-1', 'swarm-1.2:1', [failed], null);
    await mirrored.mirrored.retried('swarm-1', 'swarm-1.2:1', [], 'succeeded');
    await mirrored.tell({ kind: 'crashed', action: await mirrored.action('research'), error: CRASH });
    await mirrored.tell({ kind: 'tick' }, 10_000);
    await mirrored.work('research');
    await mirrored.tell({ kind: 'message', from: 'person', to: 'cook', text: 'hello' });
    await mirrored.tell({ kind: 'abort', why: 'enough' });
    await mirrored.second();
    return mirrored;
  }

  async function afterTheLoss(): Promise<{ readonly database: Database; readonly report: RunReport }> {
    const database = openDatabase(':memory:');
    await adoptRuns(new SqliteRuns(database), { files: systemFiles, clock: { now: () => NOON }, folder: root, say: () => undefined });
    return { database, report: await reportOf(database) };
  }

  test('has the same failures, questions, answers and retries after the database was lost', async () => {
    const { database } = await story();
    const before = await reportOf(database);
    expect(before.questions).toMatchObject([{ text: 'Which port?', answer: { option: 'answer', text: '8080', by: 'person' } }]);
    expect(before.errors.map(({ code, recovered }) => [code, recovered])).toEqual([
      ['AGENT_BLOCKED', true],
      ['AGENT_CRASHED', true],
      ['ROUTING_FAILED', false],
    ]);
    expect(before.retries).toMatchObject([{ operation: 'tell an agent', stage: 'research', attempt: 1, outcome: 'succeeded' }]);
    const after = await afterTheLoss();
    expect(after.report).toEqual(before);
    const texts = async (of: Database) => (await new SqliteRecords(of).history('swarm-1')).map(({ text }) => text);
    expect((await texts(after.database)).slice(0, -1)).toEqual(await texts(database));
  });

  test('has the questions of the state if its records are damaged as well', async () => {
    await story();
    writeFileSync(path('records.yaml'), read('records.yaml').replace('Which port', 'Which door'));
    const { report } = await afterTheLoss();
    expect(report.questions).toMatchObject([{ text: 'Which port?', answer: { text: '8080' } }]);
    expect(report.errors).toEqual([]);
  });
});
