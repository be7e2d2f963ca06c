import type { ResumeOutput } from '../runs/resume/resume-run.ts';
import { defineVerb } from '../verb.ts';

export const resume = defineVerb<ResumeOutput>({
  name: 'resume',
  summary: 'let a paused run go on',
  description:
    'Shows what is complete, partial and not started. On a terminal it then asks how to go on; otherwise, with --yes or with one of the options, it does so at once. Agents go on where they were, in their conversations and worktrees. With --from or --restart, a stage, an item (sections/s3) or a stage of an item (write/s3) begins again with everything after it; all other items stay. What they had left goes to the archive of the run. With --skip-to, the run goes to a stage without what has not ended before it. Every result that is there is used; one whose check is left out is marked unverified. That is not recommended, because the results may have gaps, and a stage that does not meet its require asks first. With --workflow, the run goes on with a changed file: only the stages that changed and those after them begin again, and what has landed stays. --dry-run prints what would happen, --artifacts the files so far; both change nothing. The command then prints what happens, as llmc run does: Ctrl+C pauses the run again, questions are answered with one key, and the exit status says how it ended. With --detach, it returns as soon as the run goes on.',
  decides: true,
  arguments: [{ syntax: '<run>', about: 'the run' }],
  options: [
    { flags: '--from <stage>', about: 'run this stage or item and everything after it again' },
    { flags: '--restart <stage>', about: 'the same' },
    { flags: '--skip-to <stage>', about: 'leave out what has not ended before this stage' },
    { flags: '--workflow <file>', about: 'go on with a changed workflow: its file or its name' },
    { flags: '--artifacts', about: 'list the files of the run, complete and partial, and change nothing' },
    { flags: '--dry-run', about: 'print what would happen, and change nothing' },
    { flags: '--detach', about: 'return as soon as the run goes on' },
  ],
  examples: [
    'llmc resume swarm-1',
    'llmc resume swarm-1 --restart develop',
    'llmc resume lit-2 --restart sections/s3',
    'llmc resume lit-2 --skip-to 7',
    'llmc resume lit-2 --workflow ./lit.yaml --dry-run',
  ],
  async run(input, shell) {
    const { followToEnd, newestLine } = await import('../runs/follow-to-end.ts');
    const { resumeOrShow } = await import('../runs/resume/resume-run.ts');
    const run = input.args[0] ?? '';
    const after = await newestLine(shell, run);
    const output = await resumeOrShow(shell, {
      run,
      from: input.text('from'),
      restart: input.text('restart'),
      skipTo: input.text('skipTo'),
      workflow: input.text('workflow'),
      artifacts: input.flag('artifacts'),
      dryRun: input.flag('dryRun'),
    });
    if (output.kind !== 'resumed' || !output.resumed.taken || input.flag('detach')) return output;
    const { goneOnLines } = await import('../runs/text/resume-text.ts');
    for (const line of goneOnLines(output.resumed)) shell.say(line);
    return { kind: 'followed', view: await followToEnd(shell, run, { begun: `${run} goes on.`, after }) };
  },
  json(output) {
    if (output.kind === 'files') return output.files;
    if (output.kind === 'left') return output;
    return output.kind === 'followed' ? output.view : output.resumed;
  },
  async text(output, shell) {
    if (output.kind === 'left') return `${output.run} stays paused.`;
    if (output.kind === 'followed') return (await import('../runs/follow-to-end.ts')).followedText(output.view, shell);
    if (output.kind === 'files') return (await import('../runs/resume/run-files.ts')).runFilesText(output.files, shell.root);
    return (await import('../runs/text/resume-text.ts')).resumeText(output.resumed, output.kind === 'planned');
  },
});
