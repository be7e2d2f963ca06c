import { LlmcError } from '../../base/error.ts';
import type { RoleMessage } from '../../workflow/control/control-run.ts';
import { isRunWorker } from '../../workflow/model/run-names.ts';
import { hasEnded } from '../../workflow/next/next.ts';
import { readIfSound } from '../../workflow/store/read-if-sound.ts';
import type { Shell } from '../shell.ts';
import { openRuns } from './open-runs.ts';

/** The run, the role and the text; inside a worker of a run, its own run if none is named. */
export async function readMessage(
  shell: Pick<Shell, 'layout'>,
  words: readonly string[],
  worker: string | undefined,
): Promise<RoleMessage> {
  const [first = '', second = '', ...rest] = words;
  const from = worker === undefined ? {} : { from: worker };
  if (rest.length > 0) return { run: first, role: second, text: rest.join(' '), ...from };
  const own = worker === undefined ? undefined : await findRun(shell, worker);
  if (own !== undefined && words.length === 2) return { run: own, role: first, text: second, ...from };
  throw new LlmcError('INVALID_ARGUMENT', 'name the run, the role and the text', { hint: 'llmc send --help' });
}

async function findRun({ layout }: Pick<Shell, 'layout'>, worker: string): Promise<string | undefined> {
  using opened = openRuns(layout);
  for (const { id, status } of await opened.runs.list()) {
    if (hasEnded({ status }) || !worker.startsWith(`${id}-`)) continue;
    const run = await readIfSound(opened.runs, id);
    const roles = typeof run === 'object' ? Object.keys(run.plan.roles) : [];
    if (roles.some((role) => isRunWorker(worker, id, role))) return id;
  }
  return undefined;
}
