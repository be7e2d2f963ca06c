import { pastTime } from '../../base/clock-time.ts';
import type { RecoveryOffer } from '../../workflow/recover/recovery-offers.ts';
import type { UpResult } from '../owner/detach.ts';
import { requirePerson } from '../owner/require-person.ts';
import { defineVerb } from '../verb.ts';

interface Up extends UpResult {
  /** Runs that failed and can go on. */
  readonly recoverable: readonly RecoveryOffer[];
  /** Runs that go on with the supervisor. */
  readonly going: readonly string[];
}

export const up = defineVerb<Up | undefined>({
  name: 'up',
  summary: 'start the supervisor and every worker',
  description:
    'Runs in the foreground with a line per change until Ctrl+C (a second Ctrl+C stops at once). With --detach it runs in the background and returns when every worker is ready or has reported why it is not. If a supervisor is already running, up fails, and up --detach reports it and succeeds. With --replace, the new supervisor takes the place of the running one, as after an upgrade of llmc, and the agents keep running.',
  arguments: [],
  options: [
    { flags: '--detach', about: 'run in the background' },
    { flags: '--replace', about: 'take the place of the running supervisor without stopping its agents' },
  ],
  examples: ['llmc up --detach', 'llmc up', 'llmc up --replace --detach'],
  interrupted: (input) =>
    input.flag('detach') ? 'Stopped waiting. The supervisor keeps running in the background: llmc status, llmc down' : undefined,
  async run(input, shell) {
    // Here too: a supervisor that does not answer, because an agent has stopped it, cannot check who replaces it.
    if (input.flag('replace')) await requirePerson('up --replace', shell, true);
    (await import('../roots/set-up.ts')).recordRoot(shell.root);
    if (input.flag('detach')) {
      const result = await (await import('../owner/detach.ts')).upDetached(shell, input.flag('replace'));
      const { readGoing, readOffers } = await import('../runs/recovery-offers.ts');
      return { ...result, going: await readGoing(shell.layout), recoverable: await readOffers(shell.layout) };
    }
    await (await import('../owner/foreground.ts')).upInForeground(shell, input.flag('replace'));
    return undefined;
  },
  async text(result) {
    if (result === undefined) return '';
    const since = result.since_unix === null ? '' : `, since ${pastTime(result.since_unix * 1_000, Date.now())}`;
    const head = result.already_running
      ? `Already running for ${result.root}: process ${result.pid}${since}.`
      : `Supervisor ${result.pid} runs for ${result.root}${result.replaced === null ? '' : `, in place of ${result.replaced}`}.`;
    const offers = (await import('../runs/recovery-offers.ts')).offerLines(result.recoverable, Date.now());
    const going = (await import('../runs/recovery-offers.ts')).goingLines(result.going);
    if (result.workers.length === 0 && result.going.length === 0)
      return [`${head} There are no workers yet: llmc add adam`, ...offers].join('\n');
    const workers = result.workers.map(({ worker, ready, says }) => `  ${worker}: ${ready ? says : `not ready – ${says}`}`);
    return [head, ...workers, ...going, ...offers].join('\n');
  },
});
