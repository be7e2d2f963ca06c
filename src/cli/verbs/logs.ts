import { parseDuration } from '../../base/duration.ts';
import { defineVerb } from '../verb.ts';

export const logs = defineVerb({
  name: 'logs',
  summary: 'show what happened',
  description: 'The log of one worker, or of all of them and the supervisor, in the time of this machine. JSON lines with --json, in UTC.',
  arguments: [{ syntax: '[worker]', about: 'whose log (default: all)' }],
  options: [
    { flags: '--follow', about: 'go on as lines come' },
    { flags: '--since <duration>', about: 'only what is younger, such as 10m' },
  ],
  examples: ['llmc logs adam', 'llmc logs --follow', 'llmc logs --since 1h --json'],
  async run(input, shell) {
    const since = input.text('since');
    const { showLogs } = await import('../logs/show-logs.ts');
    await showLogs(shell, {
      worker: input.args[0],
      follow: input.flag('follow'),
      sinceMs: since === undefined ? undefined : parseDuration(since),
    });
    return undefined;
  },
});
