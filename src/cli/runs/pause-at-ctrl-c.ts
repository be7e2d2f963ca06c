import { LlmcError } from '../../base/error.ts';
import type { RunView } from '../../workflow/view/run-view.ts';
import type { Shell } from '../shell.ts';
import { readRunView } from './read-runs.ts';
import { followPause } from './resume/follow-pause.ts';
import { withProgress } from './with-progress.ts';

/** Pauses the run that a person interrupted. A second Ctrl+C ends this process, and the supervisor finishes the pause. */
export async function pauseAtCtrlC(shell: Shell, id: string): Promise<RunView> {
  // The terminal has printed ^C.
  if (shell.isInteractive) shell.say('');
  shell.say(`Pausing ${id}. Ctrl+C again leaves this command, and the pause goes on.`);
  try {
    await shell.call('pause', { run: id, now: false });
  } catch (error) {
    // It ended in the same moment.
    if (error instanceof LlmcError && error.code === 'ILLEGAL_TRANSITION') return await readRunView(shell, id);
    throw error;
  }
  const view = await followPause(shell, id);
  return { ...view, stages: await withProgress(shell.layout, view.stages) };
}
