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
    case 'no_model':
      return `waits for you: no worker of the pool has the model ${wait.model}`;
    case 'other_model':
      return `waits for you: ${wait.worker} does not have the model ${wait.model}`;
    case 'making':
      return `waits for ${wait.worker}, which is being made`;
    case 'coming':
      return `waits for ${wait.worker}, which is starting`;
    case 'no_start':
      return `waits for you: ${wait.worker} was made for it and cannot start: llmc why ${wait.worker}`;
    case 'full': {
      const called = wait.called === 0 ? '' : `, ${wait.called} ${wait.called === 1 ? 'waits' : 'wait'} for you`;
      return `waits for a place in the pool (${wait.working} of ${wait.max} ${wait.working === 1 ? 'is' : 'are'} working${called})`;
    }
    case 'limit':
      return `waits for ${wait.limits.length === 0 ? 'the end of a usage limit' : wait.limits.join(', and for ')}`;
    case 'worker':
      return `waits for ${wait.worker}`;
    case 'pool':
      return 'waits for an idle worker';
  }
}

const listed = (tasks: readonly number[]): string => `${tasks.length === 1 ? 'task' : 'tasks'} ${tasks.join(', ')}`;
