import type { RunView } from '../../workflow/view/run-view.ts';
import { defineVerb } from '../verb.ts';

export const pause = defineVerb<{ readonly run: string; readonly taken: boolean; readonly view: RunView }>({
  name: 'pause',
  summary: 'stop the work of a run, to go on later',
  description:
    'Interrupts the agents of a run and tells them to save what they have. After at most 30 seconds, complete results are collected, unfinished ones are kept, and the agents rest. The command counts down and prints what is complete, partial and not started. No time counts while a run is paused, and it stays paused over restarts; questions stay open. Ctrl+C leaves the command, and the pause goes on.',
  decides: true,
  arguments: [{ syntax: '<run>', about: 'the run' }],
  options: [{ flags: '--now', about: 'give the agents no time to save' }],
  examples: ['llmc pause swarm-1', 'llmc pause swarm-1 --now'],
  interrupted: () => 'The supervisor finishes the pause: llmc runs',
  async run(input, shell) {
    const id = input.args[0] ?? '';
    const told = await shell.call('pause', { run: id, now: input.flag('now') });
    const { followPause } = await import('../runs/resume/follow-pause.ts');
    const { withProgress } = await import('../runs/with-progress.ts');
    const view = await followPause(shell, id);
    return { ...told, view: { ...view, stages: await withProgress(shell.layout, view.stages) } };
  },
  json: ({ view }) => view,
  async text({ run, taken, view }, shell) {
    if (!taken) return (await import('../runs/text/taken-text.ts')).notYetTaken(`The pause of ${run}`);
    const { pauseLines } = await import('../runs/text/pause-text.ts');
    if (view.pause === null) return `${run} is ${view.status}.`;
    return shell.atRoot([`${run}:`, ...pauseLines(view, Date.now())].join('\n'));
  },
});
