import type { QueueWait } from './decide-queue.ts';

/** Why a task waits, in words. */
export function queueWaitText(wait: QueueWait): string {
  switch (wait.kind) {
    case 'after':
      return `waits until ${listed(wait.tasks)} ${wait.tasks.length === 1 ? 'is' : 'are'} done`;
    case 'lost':
      return `waits for you: ${listed(wait.tasks)} will not be done`;
    case 'restored':
      return 'waits for you: llmc.db was restored from a copy, and it may have been given since';
    case 'budget':
      return `waits: ${wait.why}`;
    case 'no_worker':
      return `waits for you: there is no worker ${wait.worker}`;
    case 'no_agent':
      return `waits for you: no worker of the pool has the agent ${wait.agent}`;
    case 'other_agent':
      return `waits for you: ${wait.worker} does not have the agent ${wait.agent}`;
    case 'limit':
      return `waits for ${wait.limits.length === 0 ? 'the end of a usage limit' : wait.limits.join(', and for ')}`;
    case 'worker':
      return `waits for ${wait.worker}`;
    case 'pool':
      return 'waits for an idle worker';
  }
}

const listed = (tasks: readonly number[]): string => `${tasks.length === 1 ? 'task' : 'tasks'} ${tasks.join(', ')}`;
