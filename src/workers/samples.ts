import { parseConfig } from '../config/parse.ts';
import type { Config } from '../config/schema.ts';
import { emptyState, newWorker, type OfRun, type State, type Worker } from '../store/state.ts';

/** For tests: an idle worker, except for what the test says. */
export function aWorker(changes: Partial<Worker> = {}): Worker {
  const name = changes.name ?? 'adam';
  const fresh = newWorker({
    name,
    worktree_path: `/root/.worktrees/${name}`,
    branch: `llmc/${name}`,
    agent: 'demo',
    created_at_unix: 100,
  });
  return { ...fresh, status: 'idle', status_before_offline: null, incarnation: 1, ...changes };
}

/** For tests: what a worker of a run has besides. */
export function ofRun(changes: Partial<OfRun> = {}): OfRun {
  return {
    id: 'swarm-1',
    role: 'developer',
    agent: 'demo',
    model: null,
    role_prompt: null,
    session: '',
    resting: false,
    task: null,
    ...changes,
  };
}

export function aState(...workers: readonly Worker[]): State {
  return { ...emptyState(), workers: Object.fromEntries(workers.map((worker) => [worker.name, worker])) };
}

export function aConfig(text = ''): Config {
  return parseConfig(`${text}\n[repo]\nsource = "/source"\n`, '/root/config.toml');
}
