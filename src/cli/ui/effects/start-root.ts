import { LlmcError } from '../../../base/error.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import { systemProcesses } from '../../../system/processes/processes.ts';
import type { EffectOutcome, Surroundings } from '../outcome.ts';

const PATIENCE_MS = 600_000;

/** Starts the supervisor of a root in the background, as a person would type it. */
export async function startRoot({ shell }: Surroundings): Promise<EffectOutcome> {
  const command = { file: process.execPath, args: [process.argv[1] ?? '', '--root', shell.root, 'up', '--detach'] };
  const { stdout, stderr, outcome } = await systemProcesses.run(command, { timeoutMs: PATIENCE_MS });
  const isStarted = outcome.kind === 'exited' && outcome.status === 0;
  const [first = ''] = (isStarted ? stdout : stderr).trim().split('\n');
  if (!isStarted)
    throw new LlmcError('SUPERVISOR_FAILED', `the supervisor did not start: ${visibleLine(first)}`, { hint: 'llmc up --detach' });
  return { notice: { tone: 'good', text: visibleLine(first) } };
}
