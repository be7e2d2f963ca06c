import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { workerNameSchema } from '../../config/worker-name.ts';
import { readStatus } from '../../git/inspect.ts';
import { localRef, trackingRef, workerBranch } from '../../git/refs.ts';
import { type Git, read } from '../../git/run.ts';
import { linkState } from '../../git/worktree/link.ts';
import { inspectDatabase, requireKnownSchema } from '../../store/database.ts';
import type { Layout } from '../../store/layout.ts';
import { emptyState, newWorker, type Worker, workerSchema } from '../../store/state.ts';
import { readStateFile, writeStateFile } from '../../store/state-file.ts';
import { stateSource } from '../../store/state-record.ts';
import { systemFiles } from '../../system/files/system-files.ts';

export interface RebuiltWorker {
  readonly worker: string;
  /** `record`: its record could still be read. `branch`: made again from its branch and its worktree. */
  readonly from: 'record' | 'branch';
  readonly status: Worker['status'];
  /** Whether the agent's own files had a conversation, which it continues. */
  readonly conversation: boolean;
}

/** A conversation in the agent's own files. */
export interface LastConversation {
  readonly id: string;
  /** Its first prompt: each task begins a conversation. */
  readonly task: string;
}

interface Sources {
  readonly layout: Layout;
  readonly git: Git;
  readonly config: Config;
  readonly now: Instant;
  readonly lastConversation: (worker: Worker) => LastConversation | undefined;
  /** The number of the start whose agent still runs in a session; undefined if none does. */
  readonly runningIncarnation: (session: string) => Promise<number | undefined>;
}

/**
 * Writes state.json again from the branches, the worktrees, the sessions, the agents' own files and config.toml, with every record that can still be
 * read. The caller has the root's lock. Damaged files are kept under another name, and no worktree is touched.
 */
export async function rebuildState(sources: Sources): Promise<readonly RebuiltWorker[]> {
  const { layout, git, now } = sources;
  requireLost(layout);
  const kept = new Map([...readable(layout.stateBackup), ...readable(layout.state)]);
  const refs = await git.ok(
    read(layout.root, 'for-each-ref', '--format=%(refname:lstrip=3) %(objectname)', localRef(workerBranch('')).replace(/\/$/, '')),
  );
  const workers = new Map(kept);
  for (const [name = '', tip = ''] of refs.split('\n').map((line) => line.split(' ')))
    if (!kept.has(name) && workerNameSchema.safeParse(name).success) workers.set(name, await fromBranch(sources, name, tip));
  // Copies: after a crash here, the next rebuild reads the same records again.
  for (const path of [layout.state, layout.stateBackup]) if (systemFiles.exists(path)) systemFiles.copy(path, `${path}.broken-${now}`);
  const sorted = [...workers.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  writeStateFile(layout, { ...emptyState(), revision: 1, workers: Object.fromEntries(sorted.map((worker) => [worker.name, worker])) });
  return sorted.map((worker) => ({
    worker: worker.name,
    from: kept.has(worker.name) ? 'record' : 'branch',
    status: worker.status_before_offline ?? worker.status,
    conversation: worker.conversation_id !== null,
  }));
}

/** Throws where the owner could still restore the state, or where this process cannot tell: a rebuild knows less than any copy. */
function requireLost(layout: Layout): void {
  if (readStateFile(layout.state).kind === 'ok' || stateSource(layout) !== undefined)
    throw new LlmcError(
      'STATE_INVALID',
      'nothing to rebuild: the state can be read, or restored from llmc.db, a copy of it or the backup',
      {
        hint: 'llmc doctor --repair',
      },
    );
  const database = inspectDatabase(layout.database);
  if (database.kind === 'unreadable')
    throw new LlmcError('DATABASE_ERROR', `${layout.database} cannot be read now: ${database.problem}`, { hint: 'llmc doctor' });
  requireKnownSchema(layout.database);
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

/** Work that main does not have waits for a review, and changes wait for a person. */
async function fromBranch(sources: Sources, name: string, tip: string): Promise<Worker> {
  const { layout, git, config, now } = sources;
  const branch = workerBranch(name);
  const agent = config.workers[name]?.agent ?? config.defaults.agent;
  const fresh = newWorker({ name, branch, agent, worktree_path: layout.worktree(name), created_at_unix: Math.floor(now / 1_000) });
  const known = { ...fresh, ...(await recoverConversation(sources, fresh)) };
  const base = trackingRef(config.repo.branch ?? 'HEAD');
  const ahead = await git.run(read(layout.root, 'rev-list', '--max-count=1', '--end-of-options', localRef(branch), `^${base}`));
  // Where git cannot compare them, it may be work: an idle worker would be reset.
  if (ahead.status !== 0 || ahead.stdout.trim() !== '')
    return { ...known, status_before_offline: 'needs_review', commit_sha: tip, attention: { kind: 'review', uncommitted: false } };
  if (await mayHaveChanges(git, layout.root, fresh.worktree_path))
    return { ...known, status_before_offline: 'needs_input', attention: { kind: 'repaired', problem: 'no_record' } };
  return { ...known, current_prompt: null };
}

/** With the incarnation of a session that still runs, the next supervisor takes it over. */
async function recoverConversation({ lastConversation, runningIncarnation }: Sources, fresh: Worker): Promise<Partial<Worker>> {
  const incarnation = (await runningIncarnation(fresh.session_id)) ?? 0;
  const last = lastConversation(fresh);
  if (last === undefined) return { incarnation };
  return { incarnation, conversation_id: last.id, conversation_used: true, current_prompt: last.task };
}

/** What cannot be read may be work: an idle worker would be reset. */
async function mayHaveChanges(git: Git, root: string, worktree: string): Promise<boolean> {
  const { kind } = linkState(root, worktree);
  if (kind !== 'whole') return kind !== 'missing';
  const status = await readStatus(git, worktree).catch(() => undefined);
  return status === undefined || status.changes.length > 0;
}
