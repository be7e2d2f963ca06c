import { closeSockets } from '../../supervisor/ownership/sockets.ts';
import { askUnlessSilent } from '../owner/owner.ts';
import type { Shell } from '../shell.ts';
import { defineVerb } from '../verb.ts';

const CLOSING_MS = 15_000;

/** The supervisor answers before it closes the database: who copies or removes the root next must not meet it there. */
async function closed({ layout }: Shell): Promise<void> {
  const { waitForLock } = await import('../../system/lock.ts');
  const { systemPorts } = await import('../../system/ports.ts');
  // A root that is gone by now has no lock, and one that another supervisor has taken is not waited for longer.
  const lock = await waitForLock(layout.lock, CLOSING_MS, systemPorts).catch(() => undefined);
  lock?.release();
}

export const down = defineVerb<{ stopped: readonly string[]; supervisor: boolean }>({
  name: 'down',
  summary: 'stop every worker and the supervisor',
  description: 'Asks the agents to stop, then ends their sessions. Unfinished work is kept and continues at the next "llmc up".',
  arguments: [],
  options: [{ flags: '--force', about: 'end the sessions at once, and kill a supervisor that does not answer' }],
  examples: ['llmc down'],
  interrupted: () => 'Stopped waiting. The supervisor continues to stop the workers: llmc status',
  async run(input, shell) {
    const { killUnresponsive } = await import('../../supervisor/ownership/unresponsive.ts');
    const force = input.flag('force');
    const answered = await askUnlessSilent(shell, 'down', { force }, (silence) => {
      if (!force) throw silence;
      killUnresponsive(shell.layout.owner);
      shell.say(`${silence.message}; killed it.`);
    });
    if (answered !== undefined) {
      await closed(shell);
      return { stopped: answered.result, supervisor: true };
    }
    // The sessions of a killed supervisor keep running.
    const { openOwnContext } = await import('../owner/own-context.ts');
    const { stopAll } = await import('../../supervisor/launch/stop.ts');
    using own = await openOwnContext(shell, 'down', 15_000);
    const stopped = await stopAll(own.context, () => force);
    closeSockets(shell.layout);
    return { stopped, supervisor: false };
  },
  text({ stopped, supervisor }) {
    if (stopped.length > 0) return `Stopped ${stopped.join(', ')}. Continue with: llmc up --detach`;
    return supervisor ? 'Stopped the supervisor; no worker was running.' : 'Nothing was running.';
  },
});
