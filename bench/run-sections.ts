import { join } from 'node:path';
import { systemClock } from '../src/system/clock.ts';
import { systemFiles } from '../src/system/files/system-files.ts';
import { readWorkflow } from '../src/workflow/definition/read-workflow.ts';
import { cachedRuns } from '../src/workflow/engine/cached-runs.ts';
import { decideAll } from '../src/workflow/engine/decide.ts';
import { withRetries } from '../src/workflow/engine/with-retries.ts';
import { mirroredRuns } from '../src/workflow/mirror/mirror.ts';
import type { What } from '../src/workflow/model/event.ts';
import { newRun } from '../src/workflow/model/new-run.ts';
import type { Run } from '../src/workflow/model/run.ts';
import { POLICY } from '../src/workflow/next/samples.ts';
import { SqliteRecords } from '../src/workflow/store/sqlite-records.ts';
import { SqliteRuns } from '../src/workflow/store/sqlite-runs.ts';
import type { Comparison } from './compare.ts';
import { makeRunWorld } from './run-world.ts';

const MANY = 200;
const FEW = 20;
const EACH_END = 50;

/** Each section is written and reviewed, four at a time, as in a review of the literature. */
const WORKFLOW = `name: sections
inputs: { list: { type: items } }
roles: { writer: {}, validator: {} }
stages:
  - id: sections
    for_each: { of: inputs.list, key: id, max_parallel: 4 }
    stages:
      - { id: write, role: writer, output: section.md, prompt: "Write {{item.title}}." }
      - { id: check, review: write, by: validator }
  - { id: draft, role: writer, output: draft.md, prompt: "Join {{sections.done}} sections." }
`;

/** Measures decisions of a run with many items and instant agents: every commit with its checkpoints, and the files of the run. */
export async function runSections(): Promise<readonly Comparison[]> {
  const few = await decisionsOf(FEW);
  const many = await decisionsOf(MANY);
  const first = mean(many.slice(0, Math.floor((many.length * EACH_END) / MANY)));
  const last = mean(many.slice(-Math.floor((many.length * EACH_END) / MANY)));
  const note = `processor time, mean of ${many.length} decisions, with checkpoints and state.yaml`;
  return [
    {
      name: `decision on one of the last ${EACH_END} of ${MANY} sections`,
      yardstick: `on one of the first ${EACH_END}`,
      ours: last,
      theirs: first,
      aim: 1.5,
      note,
    },
    {
      name: `decision in a run with ${MANY} sections`,
      yardstick: `with ${FEW} sections`,
      ours: mean(many),
      theirs: mean(few),
      aim: 1.5,
      note,
    },
  ];
}

/** How long each decision of a whole run took, in order. */
async function decisionsOf(sections: number): Promise<readonly number[]> {
  using world = makeRunWorld();
  const policy = { ...POLICY, maxAgents: 8 };
  const ports = { policy: () => Promise.resolve(policy), clock: systemClock, random: { next: () => 0 } };
  const stored = withRetries({ runs: new SqliteRuns(world.database), queue: world.queue }, ports);
  const records = new SqliteRecords(world.database);
  const files = { files: systemFiles, clock: systemClock, records, folderOf: (run: string) => join(world.folder, run) };
  const runs = cachedRuns(mirroredRuns(stored.runs, files));
  const reading = readWorkflow(WORKFLOW);
  if (reading.kind === 'invalid') throw new Error(reading.problems.map(({ message }) => message).join('\n'));
  const list = Array.from({ length: sections }, (_, index) => ({ id: `s${index + 1}`, title: `Section ${index + 1}` }));
  const at = Date.now();
  await runs.create(newRun('sections-1', reading.plan, { list }, at), { key: 'begin', at, dice: 0, what: { kind: 'begin' } });
  const decide = () => decideAll({ ...ports, runs, fault: () => undefined, announce: () => undefined }, new Set());
  const times = [await processorTime(decide)];
  for (;;) {
    const run = await runs.load('sections-1');
    const what = run && expected(run);
    if (what === undefined) {
      if (run?.status !== 'done') throw new Error('the run does not go on');
      return times;
    }
    await runs.post('sections-1', { key: `event:${times.length}`, at: Date.now(), dice: 0, what });
    times.push(await processorTime(decide));
  }
}

/** What an agent without any delay would report next. */
function expected({ steps }: Run): What | undefined {
  for (const { address, state } of Object.values(steps)) {
    if (state.kind === 'working') return { kind: 'finished', action: state.action };
    if (state.kind !== 'acting') continue;
    const { action, doing } = state;
    if (doing !== 'collect') return { kind: 'started', action };
    const isReview = address.startsWith('check');
    const file = isReview ? 'verdict.yaml' : 'section.md';
    const artifacts = { [file]: { path: `artifacts/${address}-1/${file}`, sha256: 'f'.repeat(64), value: null } };
    const verdict = isReview ? ({ verdict: 'approved', issues: [] } as const) : null;
    return { kind: 'collected', action, result: { artifacts, commit: null, answer: null, verdict } };
  }
  return undefined;
}

/** Processor time in ms: a disk that others use does not count. */
async function processorTime(action: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
