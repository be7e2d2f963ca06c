import type { CheckpointOutput } from '../runs/checkpoint.ts';
import { defineVerb } from '../verb.ts';

export const checkpoint = defineVerb<CheckpointOutput>({
  name: 'checkpoint',
  summary: 'save the state of a run, or list what is saved',
  description:
    'llmc saves the state of a run by itself: at its start, after each stage, before it tries something again, and every minute. This command saves it now, with a note. The newest ten are kept, and the newest ten that you saved yourself; --list shows them, the newest first.',
  arguments: [{ syntax: '<run>', about: 'the run' }],
  options: [
    { flags: '--note <text>', about: 'what to remember about it' },
    { flags: '--list', about: 'list the checkpoints, and save nothing' },
  ],
  examples: ['llmc checkpoint swarm-1 --note "before the new task"', 'llmc checkpoint swarm-1 --list'],
  async run(input, shell) {
    const { readCheckpoints } = await import('../runs/checkpoint.ts');
    const id = input.args[0] ?? '';
    if (input.flag('list')) (await import('../runs/read-runs.ts')).sayIfGone(shell);
    if (input.flag('list')) return await readCheckpoints(shell, id);
    return { kind: 'made', made: await shell.call('checkpoint', { run: id, note: input.text('note') ?? '' }) };
  },
  json: (output) => (output.kind === 'made' ? output.made : { run: output.run, checkpoints: output.checkpoints }),
  text: async (output, shell) => (await import('../runs/checkpoint.ts')).checkpointText(output, Date.now(), shell.display),
});
