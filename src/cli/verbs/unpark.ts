import { clockTime } from '../../base/clock-time.ts';
import type { Lifted } from '../../workers/lift-limit.ts';
import { defineVerb } from '../verb.ts';

export const unpark = defineVerb({
  name: 'unpark',
  summary: 'end the wait for a usage limit',
  description:
    'Use it after you bought more usage or changed the login. The workers of the account continue now, one after the other. If the limit still holds, the first agent that reaches it parks the account again. An agent that waits for the reset on its own still continues at its own time.',
  decides: true,
  arguments: [{ syntax: '<account>', about: 'the account, as llmc status names it' }],
  options: [],
  examples: ['llmc unpark claude'],
  async run(input, shell) {
    const [account = ''] = input.args;
    return await shell.call('unpark', { account });
  },
  text: (lifted) => liftedText(lifted, Date.now()),
});

export function liftedText({ account, workers, by_themselves, until_unix }: Lifted, now: number): string {
  if (workers.length + by_themselves.length === 0) return `The usage limit of ${account} is lifted. No worker uses this account.`;
  const at = clockTime(until_unix * 1_000, now);
  const later = by_themselves.map((name) => `${name} does not continue now: its agent waits and continues by itself at ${at}.`);
  const continuing = workers.length === 0 ? '' : ` Continuing: ${workers.join(', ')}.`;
  return [`The usage limit of ${account} is lifted.${continuing}`, ...later].join('\n');
}
