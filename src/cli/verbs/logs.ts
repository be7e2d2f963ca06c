import { parseDuration } from '../../base/duration.ts';
import { defineVerb } from '../verb.ts';

export const logs = defineVerb({
  name: 'logs',
  summary: 'show what happened',
  description:
    'Prints the log of one worker, of a run and its workers, or of all workers and the supervisor, in local time. With --json: JSON lines, in UTC.',
  arguments: [{ syntax: '[worker|run]', about: 'only the log of this worker or this run (default: all)' }],
  options: [
    { flags: '--follow', about: 'keep printing new lines' },
    { flags: '--since <duration>', about: 'only the last 10m, 2h, …' },
    { flags: '--conversation', about: 'what was said: the prompts of the worker, and the message that its agent ended each turn with' },
    { flags: '--recovery', about: 'only what llmc did about failures; with --json also the screen and the git status of that moment' },
  ],
  examples: [
    'llmc logs adam',
    'llmc logs --follow',
    'llmc logs --since 1h --json',
    'llmc logs adam --conversation',
    'llmc logs adam --recovery',
    'llmc logs swarm-1 --follow',
  ],
  async run(input, shell) {
    const since = input.text('since');
    if (input.flag('conversation')) {
      const { showConversation } = await import('../logs/show-conversation.ts');
      await showConversation(shell, {
        worker: input.args[0],
        asksMore: input.flag('follow') || input.flag('recovery'),
        sinceMs: since === undefined ? undefined : parseDuration(since),
      });
      return undefined;
    }
    const { showLogs } = await import('../logs/show-logs.ts');
    await showLogs(shell, {
      worker: input.args[0],
      follow: input.flag('follow'),
      recovery: input.flag('recovery'),
      sinceMs: since === undefined ? undefined : parseDuration(since),
    });
    return undefined;
  },
});
