import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import { STATUSES, type Status } from '../../store/statuses.ts';
import { callsForAPerson } from '../../supervisor/report/notified.ts';
import { predicateOf } from '../../workers/status/status-words.ts';
import { ringFor } from '../bell.ts';
import { defineVerb } from '../verb.ts';

export const wait = defineVerb({
  name: 'wait',
  summary: 'wait until a worker has a status',
  description: 'For scripts. The exit status is 3 if the worker does not reach the status in time.',
  arguments: [{ syntax: '<worker>', about: 'the worker' }],
  options: [
    { flags: '--for <statuses>', about: 'the statuses, comma-separated (default: needs_review,needs_input,error,idle)' },
    { flags: '--timeout <duration>', about: 'how long to wait (default: 24h)' },
  ],
  examples: ['llmc wait adam --for needs_review --timeout 30m'],
  interrupted: () => 'Stopped waiting. The worker continues: llmc status',
  async run(input, shell) {
    const words = (input.text('for') ?? 'needs_review,needs_input,error,idle').split(',').map((word) => word.trim());
    const unknown = words.find((word) => !isStatus(word));
    if (unknown !== undefined)
      throw new LlmcError('INVALID_ARGUMENT', `there is no status "${unknown}"`, { hint: `Use: ${STATUSES.join(', ')}` });
    const reached = await shell.call('wait', {
      worker: input.args[0] ?? '',
      statuses: words.filter(isStatus),
      timeoutMs: parseDuration(input.text('timeout') ?? '24h'),
    });
    if (callsForAPerson(reached.status)) await ringFor(shell, reached.name);
    return reached;
  },
  text: ({ name, status, attention }) => `${name} ${predicateOf(status)}.${attention === null ? '' : ` ${attention}`}`,
});

function isStatus(word: string): word is Status {
  return STATUSES.some((status) => status === word);
}
