import { parseConfig } from '../config/parse.ts';
import type { Config } from '../config/schema.ts';
import { emptyState, type State, type Worker } from '../store/state.ts';

/** For tests: an idle worker, except for what the test says. */
export function aWorker(changes: Partial<Worker> = {}): Worker {
  const name = changes.name ?? 'adam';
  return {
    name,
    worktree_path: `/root/.worktrees/${name}`,
    branch: `llmc/${name}`,
    session_id: `llmc-${name}`,
    agent: 'demo',
    status: 'idle',
    status_before_offline: null,
    current_prompt: null,
    expects: 'commit',
    created_at_unix: 100,
    last_activity_unix: 100,
    commit_sha: null,
    base_commit: null,
    reviewed_patch_id: null,
    incarnation: 1,
    conversation_id: null,
    conversation_used: false,
    attention: null,
    crash_count: 0,
    last_crash_unix: null,
    rebase_started_at_unix: null,
    conflicted_files: [],
    resolution_attempts: 0,
    ...changes,
  };
}

export function aState(...workers: readonly Worker[]): State {
  return { ...emptyState(), workers: Object.fromEntries(workers.map((worker) => [worker.name, worker])) };
}

export function aConfig(text = ''): Config {
  return parseConfig(`${text}\n[repo]\nsource = "/source"\n`, '/root/config.toml');
}
