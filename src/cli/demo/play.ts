import { LlmcError } from '../../base/error.ts';
import { openGit } from '../../git/run.ts';
import { requireGit } from '../../git/version.ts';
import { systemClock } from '../../system/clock.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { requireTmux } from '../../terminal/version.ts';
import { interruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import type { Story } from './commands.ts';
import { Narrator } from './narrator.ts';
import { makeDemoRepository } from './repository.ts';
import { DemoStage } from './stage.ts';

/** Time to read the heading of a chapter and its output. */
const READING_MS = 1_500;

/** Plays all chapters in a temporary folder. Their commands run as a person would type them. */
export async function playDemo<Summary>(shell: Shell, fast: boolean, story: Story<Summary>): Promise<Summary> {
  await requireGit(openGit(systemProcesses));
  await requireTmux(systemProcesses);
  const { json, quiet, color } = shell.options;
  const print = (line: string) => (json ? shell.say(line) : quiet ? undefined : shell.out(`${line}\n`));
  const narrator = new Narrator(print, color && !json);
  const interrupted = interruption();
  const began = systemClock.now();
  const readingMs = fast || !shell.isInteractive ? 0 : READING_MS;
  try {
    await using stage = new DemoStage(interrupted, shell.say);
    print(`A demonstration with the built-in agent, in ${stage.base}. llmc removes this folder at the end.`);
    const base = await makeDemoRepository(stage.git, stage.source);
    for (const chapter of story.chapters) {
      await chapter({ stage, narrator, version: shell.options.version });
      await stage.unlessInterrupted(systemClock.sleep(readingMs));
    }
    return await story.summarise(stage, base, systemClock.now() - began);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    throw new LlmcError('CANCELLED', 'the demo was interrupted; everything it created is removed', { hint: story.command, cause: error });
  }
}
