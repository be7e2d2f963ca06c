import { defineVerb } from '../verb.ts';

export const events = defineVerb({
  name: 'events',
  summary: 'print what happens as JSON lines, for scripts',
  description:
    'Prints one JSON document per line for each event of the history: seq, time, worker, kind, status (of the worker after the event) and summary. Fields may be added, and are not renamed. The summary is for people. Without --follow it prints what is there and ends; with --follow it prints what happens from now on, until Ctrl+C. To continue where a script stopped, pass the last seq it has seen: --since 1234.',
  arguments: [{ syntax: '[worker]', about: 'only the events of this worker (default: all)' }],
  options: [
    { flags: '--follow', about: 'keep printing new events' },
    { flags: '--since <seq|duration>', about: 'begin after this event, or with the last 10m, 2h, …' },
  ],
  examples: ['llmc events --follow', 'llmc events adam --since 1h', 'llmc events --follow --since 1234'],
  async run(input, shell) {
    const { showEvents } = await import('../logs/show-events.ts');
    await showEvents(shell, { worker: input.args[0], follow: input.flag('follow'), since: input.text('since') });
    return undefined;
  },
});
