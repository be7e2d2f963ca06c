import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAdapter } from '../../src/agents/registry.ts';
import type { CheckResult } from '../../src/doctor/check.ts';
import { CHECKS } from '../../src/doctor/checks.ts';
import { doctorContext } from '../../src/doctor/context.ts';
import { runDoctor } from '../../src/doctor/run.ts';
import type { RepairStep } from '../../src/recovery/records/repair-step.ts';
import { type Layout, makeLayout, ownPaths } from '../../src/store/layout.ts';
import { type State, stateSchema, type Worker } from '../../src/store/state.ts';
import { Store } from '../../src/store/store.ts';
import { claimRoot } from '../../src/supervisor/ownership/claim.ts';
import { systemClock } from '../../src/system/clock.ts';
import { restrict } from '../../src/system/files/access.ts';
import { systemPorts } from '../../src/system/ports.ts';
import { openContext, type WorkContext } from '../../src/workers/context.ts';
import { noAgents } from '../../src/workers/no-agents.ts';
import { type Repaired, repairRoot } from '../../src/workers/repair/repair-root.ts';
import { aState, aWorker } from '../../src/workers/samples.ts';
import { type ScratchRepo, scratchRepo, scratchRoot } from './scratch-repo.ts';

/** These ask only this machine. */
const MACHINE = ['node', 'git', 'tmux', 'identity', 'git-lfs', 'agents', 'logins', 'sandbox', 'difftastic', 'disk', 'folder watches'];

/** A sound root that is damaged, looked at and repaired in place, as `llmc doctor --repair` does without a supervisor. */
export interface DamagedRoot extends AsyncDisposable {
  readonly repo: ScratchRepo;
  readonly layout: Layout;
  /** The commit of eve that waits for a review. */
  readonly work: string;
  /** Makes the root sound again: a copy of the first one. */
  renew(): void;
  editState(change: (state: State) => void): void;
  doctor(): Promise<Readonly<Record<string, CheckResult>>>;
  /** Opens the root as its owner. */
  own<T>(use: (context: WorkContext) => Promise<T>, first?: () => readonly string[]): Promise<T>;
  repair(steps: readonly RepairStep[]): Promise<readonly Repaired[]>;
}

/** adam is idle, eve waits for a review. */
export async function damagedRoot(): Promise<DamagedRoot> {
  const repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const layout = makeLayout(root);
  const work = await repo.commit('Work', { 'work.txt': 'done\n' }, await prepare(worktree));
  for (const folder of [layout.run, layout.logs, layout.events]) mkdirSync(folder, { recursive: true });
  const tables = ['adam', 'eve'].map((name) => `[workers.${name}]\nagent = "demo"\n`);
  writeFileSync(layout.config, `[repo]\nsource = "${repo.path}"\nbranch = "main"\n[defaults]\nagent = "demo"\n${tables.join('')}`);
  const offline = { status: 'offline', base_commit: base } as const;
  const adam = aWorker({ ...offline, name: 'adam', status_before_offline: 'idle', worktree_path: layout.worktree('adam') });
  const eve = aWorker({
    ...offline,
    name: 'eve',
    status_before_offline: 'needs_review',
    worktree_path: layout.worktree('eve'),
    current_prompt: 'Do the work.',
    commit_sha: work,
    attention: { kind: 'review', uncommitted: false },
  });
  writeFileSync(layout.state, JSON.stringify(aState(adam, eve)));
  const open = () => new Store(layout, systemClock);
  using(open(), (store) => {
    // Twice, so that there is a backup and a redo record.
    for (const summary of ['one', 'two']) store.commit({ worker: null, kind: 'test', summary, state: () => undefined });
  });
  const template = join(repo.dir, 'template');
  renameSync(root, template);
  const copied: DamagedRoot = {
    repo,
    layout,
    work,
    renew() {
      rmSync(root, { recursive: true, force: true });
      cpSync(template, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      // A copied folder has the mode of a new one.
      for (const path of ownPaths(layout)) restrict(path);
    },
    editState(change) {
      const state = stateSchema.parse(JSON.parse(readFileSync(layout.state, 'utf8')));
      change(state);
      writeFileSync(layout.state, JSON.stringify(state));
    },
    async doctor() {
      const checks = CHECKS.filter(({ name }) => !MACHINE.includes(name));
      const workflows = async () => ({ files: [], unread: undefined });
      const supervisor = { isSupervised: async () => false, silence: async () => undefined, workflows };
      const agents = { defaultCommand: () => '', adapterOf: findAdapter, recordedVersions: () => undefined, ...supervisor };
      const context = { ...doctorContext(root, '0.1.0', agents), processes: repo.processes };
      return Object.fromEntries((await runDoctor(checks, context)).map((result) => [result.name, result]));
    },
    async own(use, first = () => []) {
      using lock = await claimRoot(layout, 'doctor', systemPorts, 10_000);
      using store = new Store(layout, systemClock, systemPorts.files, [...lock.cleared, ...first()]);
      const ports = { ...systemPorts, processes: repo.processes };
      const signal = new AbortController().signal;
      return await use(openContext(store, ports, { supervised: false, say: () => undefined, signal, agents: noAgents }));
    },
    repair: (steps) => copied.own((context) => repairRoot(context, steps)),
    [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
  };
  return copied;
}

async function prepare(worktree: (name: string) => Promise<string>): Promise<string> {
  await worktree('adam');
  return await worktree('eve');
}

function using<T extends Disposable>(resource: T, use: (resource: T) => void): void {
  using held = resource;
  use(held);
}

export const changed = (state: State, name: string, fields: Partial<Worker>): void => {
  const worker = state.workers[name];
  if (worker !== undefined) Object.assign(worker, fields);
};
