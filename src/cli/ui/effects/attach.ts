import { Input } from '../../verb.ts';
import { attach } from '../../verbs/attach.ts';
import type { EffectOutcome, Surroundings } from '../outcome.ts';

/** Gives the terminal to the session of the agent until the person detaches. */
export async function attachTo(worker: string, { shell, terminal }: Surroundings): Promise<EffectOutcome> {
  await terminal.lend(async () => await attach.run(new Input([worker], {}), shell));
  return { notice: { tone: 'plain', text: `Back from ${worker}.` } };
}
