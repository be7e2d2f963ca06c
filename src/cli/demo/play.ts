import { LlmcError } from '../../base/error.ts';
import { openGit } from '../../git/run.ts';
import { requireGit } from '../../git/version.ts';
import { systemClock } from '../../system/clock.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { requireTmux } from '../../terminal/version.ts';
import { interruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import { Narrator } from './narrator.ts';
import { Stage } from './stage.ts';
import { runChapters } from './story.ts';
import { type DemoSummary, summarise } from './summary.ts';

/** Time to read the heading of a chapter and its output. */
const READING_MS = 1_500;

export async function playDemo(shell: Shell, fast: boolean): Promise<DemoSummary> {
  await requireGit(openGit(systemProcesses));
  await requireTmux(systemProcesses);
  const { json, quiet, color } = shell.options;
  const print = (line: string) => (json ? shell.say(line) : quiet ? undefined : shell.out(`${line}\n`));
  const narrator = new Narrator(print, color && !json);
  const interrupted = interruption();
  const began = systemClock.now();
  const readingMs = fast || !shell.isInteractive ? 0 : READING_MS;
  try {
    await using stage = new Stage(interrupted, shell.say);
    print(`A demonstration with the built-in agent, in ${stage.base}. llmc removes this folder at the end.`);
    const base = await runChapters({
      stage,
      narrator,
      version: shell.options.version,
      pause: () => stage.unlessInterrupted(systemClock.sleep(readingMs)),
    });
    return await summarise(stage, base, systemClock.now() - began);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    throw new LlmcError('CANCELLED', 'the demo was interrupted; everything it created is removed', { hint: 'llmc demo', cause: error });
  }
}
