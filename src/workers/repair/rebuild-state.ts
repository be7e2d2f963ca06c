import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { workerNameSchema } from '../../config/worker-name.ts';
import { localRef, trackingRef, workerBranch } from '../../git/refs.ts';
import { type Git, read } from '../../git/run.ts';
import { inspectDatabase } from '../../store/database.ts';
import type { Layout } from '../../store/layout.ts';
import { emptyState, newWorker, type Worker, workerSchema } from '../../store/state.ts';
import { readStateFile, writeStateFile } from '../../store/state-file.ts';
import { systemFiles } from '../../system/files/system-files.ts';

export interface Rebuilt {
  readonly worker: string;
  /** `record`: its record could still be read. `branch`: made again from its branch. */
  readonly from: 'record' | 'branch';
  readonly status: Worker['status'];
}

interface Sources {
  readonly layout: Layout;
  readonly git: Git;
  readonly config: Config;
  readonly now: Instant;
}

/**
 * Writes state.json again from the branches and the tables of config.toml, with every record that can still be read. The caller has
 * the root's lock. Damaged files are kept under another name, and no worktree is touched.
 */
export async function rebuildState({ layout, git, config, now }: Sources): Promise<readonly Rebuilt[]> {
  if (
    [layout.state, layout.stateBackup].some((path) => readStateFile(path).kind === 'ok') ||
    inspectDatabase(layout.database).kind === 'ok'
  )
    throw new LlmcError('STATE_INVALID', 'nothing to rebuild: the state can be read, or restored from llmc.db or its backup', {
      hint: 'llmc doctor --repair',
    });
  const kept = new Map([...readable(layout.stateBackup), ...readable(layout.state)]);
  const refs = await git.ok(
    read(layout.root, 'for-each-ref', '--format=%(refname:lstrip=3)', localRef(workerBranch('')).replace(/\/$/, '')),
  );
  const names = refs.split('\n').filter((name) => workerNameSchema.safeParse(name).success);
  const workers: Worker[] = [];
  for (const name of names) workers.push(kept.get(name) ?? (await fromBranch({ layout, git, config, now }, name)));
  for (const path of [layout.state, layout.stateBackup]) if (systemFiles.exists(path)) systemFiles.rename(path, `${path}.broken-${now}`);
  writeStateFile(layout, { ...emptyState(), revision: 1, workers: Object.fromEntries(workers.map((worker) => [worker.name, worker])) });
  return workers.map((worker) => ({
    worker: worker.name,
    from: kept.has(worker.name) ? 'record' : 'branch',
    status: worker.status_before_offline ?? worker.status,
  }));
}

/** The records of a damaged file that have the right shape. */
function readable(path: string): readonly (readonly [string, Worker])[] {
  try {
    const { workers }: { workers?: unknown } = JSON.parse(systemFiles.readText(path) ?? '{}');
    return Object.values(workers ?? {}).flatMap((found) => {
      const { data } = workerSchema.safeParse(found);
      return data === undefined ? [] : [[data.name, data] as const];
    });
  } catch {
    return [];
  }
}

/** Work that main does not have waits for a review; nobody knows any more what was asked. */
async function fromBranch({ layout, git, config, now }: Sources, name: string): Promise<Worker> {
  const branch = workerBranch(name);
  const base = trackingRef(config.repo.branch ?? 'HEAD');
  const { stdout } = await git.run(read(layout.root, 'rev-list', '--max-count=1', '--end-of-options', localRef(branch), `^${base}`));
  const commit = stdout.trim() || null;
  const agent = config.workers[name]?.agent ?? config.defaults.agent;
  const fresh = newWorker({ name, branch, agent, worktree_path: layout.worktree(name), created_at_unix: Math.floor(now / 1_000) });
  return commit === null
    ? fresh
    : { ...fresh, status_before_offline: 'needs_review', commit_sha: commit, attention: { kind: 'review', uncommitted: false } };
}
