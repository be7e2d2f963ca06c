import type { RunView } from '../../workflow/view/run-view.ts';
import { defineVerb } from '../verb.ts';

export const run = defineVerb<RunView>({
  name: 'run',
  summary: 'start a workflow',
  description:
    'Starts a run of a workflow: by its name (llmc workflows lists them) or by the path of a file. The whole file and all inputs are checked before anything starts. If another run that has not ended works through the same file, llmc run warns, and asks on a terminal. If no supervisor runs, llmc run starts one. The command then prints what happens, until the run ends or needs you. On a terminal, a question of the run is answered with one key: the first letter of an option, or its number; q leaves it open. Ctrl+C pauses the run: its agents have 30 seconds to save what they have, and llmc resume lets it go on. A second Ctrl+C leaves the command at once, and the supervisor finishes the pause. With a closed terminal the run goes on in the background. Inputs: a text (task="…"), a file (epic=./epic.yaml, its content becomes the value), items (issues=./issues: a folder of Markdown files, a file with a list, or - for standard input), a flag (thorough, or thorough=false), a list (angles=one, and once more for each further text), or one of the words that the workflow allows. The exit status is 0 for a run that is done or needs you, 2 for one that failed or was aborted, and 130 for one that is paused.',
  decides: true,
  arguments: [{ syntax: '<workflow>', about: 'a name, or the path of a file' }],
  options: [
    { flags: '--input <name=value>', about: 'an input of the workflow; may be repeated', repeats: true },
    { flags: '--detach', about: 'return as soon as the run is recorded' },
  ],
  examples: [
    'llmc run swarm --input task="Print the version at startup"',
    'llmc run ./fix.yaml --input bug="Empty input crashes" --detach',
    'llmc run swarm --input task="$(cat task.md)" --json',
    'gh issue list --json number,title,body | llmc run fix-issues --input issues=-',
  ],
  async run(input, shell) {
    const { beginRun } = await import('../runs/begin-run.ts');
    const name = await beginRun(shell, input.args[0] ?? '', input.list('input'));
    if (input.flag('detach')) return await (await import('../runs/read-runs.ts')).readRunView(shell, name);
    const { followToEnd } = await import('../runs/follow-to-end.ts');
    return await followToEnd(shell, name, { begun: `${name} has begun.`, after: 0 });
  },
  async text(view, shell, input) {
    const { id: name } = view;
    if (input.flag('detach')) return `${name} has begun: llmc show ${name} --watch`;
    return (await import('../runs/follow-to-end.ts')).followedText(view, shell);
  },
});
