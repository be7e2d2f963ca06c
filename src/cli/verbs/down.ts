import { closeSockets } from '../../supervisor/ownership/sockets.ts';
import { askUnlessSilent } from '../owner/owner.ts';
import { defineVerb } from '../verb.ts';

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
    if (answered !== undefined) return { stopped: answered.result, supervisor: true };
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
