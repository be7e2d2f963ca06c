import type { UpResult } from '../owner/detach.ts';
import { defineVerb } from '../verb.ts';

export const up = defineVerb<UpResult | undefined>({
  name: 'up',
  summary: 'start the supervisor and every worker',
  description:
    'Runs in the foreground with a line per change until Ctrl+C (a second Ctrl+C stops at once). With --detach it runs in the background and returns when every worker is ready or has reported why it is not.',
  arguments: [],
  options: [{ flags: '--detach', about: 'run in the background' }],
  examples: ['llmc up --detach', 'llmc up'],
  async run(input, shell) {
    if (input.flag('detach')) return await (await import('../owner/detach.ts')).upDetached(shell);
    await (await import('../owner/foreground.ts')).upInForeground(shell);
    return undefined;
  },
  text(result) {
    if (result === undefined) return '';
    if (result.workers.length === 0) return `Supervisor ${result.pid} runs for ${result.root}. There are no workers yet: llmc add <name>`;
    return [
      `Supervisor ${result.pid} runs for ${result.root}.`,
      ...result.workers.map(({ worker, ready, says }) => `  ${worker}: ${ready ? says : `not ready – ${says}`}`),
    ].join('\n');
  },
});
