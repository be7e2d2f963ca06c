import { makeLayout } from '../../src/store/layout.ts';
import { Store } from '../../src/store/store.ts';
import { systemPorts } from '../../src/system/ports.ts';
import { openContext } from '../../src/workers/context.ts';
import { noAgents } from '../../src/workers/no-agents.ts';
import { commitMove } from '../../src/workers/status/commit-move.ts';
import { followUp } from '../../src/workers/tasks/follow-up.ts';
import { giveTask } from '../../src/workers/tasks/give-task.ts';
import { offerForReview } from '../../src/workers/tasks/offer-for-review.ts';
import { openTask } from '../../src/workers/tasks/owner.ts';
import { restWorker } from '../../src/workers/tasks/rest-worker.ts';
import { dismissWorker, makeRunWorker } from '../../src/workers/tasks/run-worker.ts';

// What an engine does with the worker of a run, from the beginning: a program of its own, so that a fault point can kill it.
const [root = '', commit = ''] = process.argv.slice(2);
const DEV = 'swarm-1-dev';
using store = new Store(makeLayout(root), systemPorts.clock);
const context = openContext(store, systemPorts, {
  supervised: false,
  say: () => undefined,
  signal: new AbortController().signal,
  agents: noAgents,
});

/** As the supervisor does: the session comes up, and the turn of this task ends. */
function turn(id: string): void {
  const worker = store.worker(DEV);
  if (openTask(worker) !== id) return;
  if (worker.status === 'offline') commitMove(context, DEV, 'came_back', { why: 'its session runs', fields: { conversation_used: true } });
  commitMove(context, DEV, 'finished', { why: 'the turn ended', fields: { commit_sha: commit } });
}

await makeRunWorker(context, { name: DEV, run: 'swarm-1', role: 'dev', agent: 'demo' });
await giveTask(context, {
  id: 'a1',
  worker: DEV,
  base: null,
  worktree: 'reset',
  conversation: 'fresh',
  session: '',
  prompt: 'Build it',
  expects: { kind: 'commit' },
});
turn('a1');
await followUp(context, { id: 'f1', worker: DEV, text: 'Not yet' });
turn('f1');
await restWorker(context, DEV);
if (process.argv.includes('--dismiss')) await dismissWorker(context, DEV);
else await offerForReview(context, { id: 'l1', worker: DEV, commit, task: 'Build it' });
