import type { Recovery } from '../../workflow/recover/recover-run.ts';
import type { RunView } from '../../workflow/view/run-view.ts';
import { defineVerb } from '../verb.ts';

type RecoverOutput =
  | { readonly kind: 'recovery'; readonly recovery: Recovery }
  /** What the run was when it ended, or when it needed the person. */
  | { readonly kind: 'followed'; readonly view: RunView };

export const recover = defineVerb<RecoverOutput>({
  name: 'recover',
  summary: 'let a run that has ended go on, from a checkpoint, a stage or an item',
  description:
    'Takes the newest checkpoint that is not damaged, or the one you name. Stages that are done stay done, unless you name an older checkpoint. The stage that failed is skipped, unless a review or a landing needs its result; with --retry-failed-stage it runs again in any case. With --from, a stage, an item (sections/s3) or a stage of an item (write/s3) begins again with everything after it, also in a run that is done: what is before it and all other items stay as they ended; the results of the rest go to the archive of the run, and what they had landed is taken back from main by a commit that does the opposite. Each agent begins a fresh conversation in its worktree, with what it had left there. The steps are reported one by one; --dry-run prints them and changes nothing. The command then prints what happens, as llmc run does: Ctrl+C pauses the run, questions are answered with one key, and the exit status says how it ended. With --detach, it returns as soon as the run goes on.',
  decides: true,
  arguments: [{ syntax: '<run>', about: 'the run' }],
  options: [
    { flags: '--checkpoint <id>', about: 'go on from this one: llmc checkpoint <run> --list' },
    { flags: '--from <stage>', about: 'begin this stage or item and everything after it again' },
    { flags: '--retry-failed-stage', about: 'run the failed stage again instead of skipping it' },
    { flags: '--keep-agents', about: 'let the agents go on in their conversations' },
    { flags: '--drop-messages', about: 'drop messages that were not delivered' },
    { flags: '--dry-run', about: 'print what would be done, and change nothing' },
    { flags: '--detach', about: 'return as soon as the run goes on' },
  ],
  examples: [
    'llmc recover swarm-1 --dry-run',
    'llmc recover swarm-1 --retry-failed-stage',
    'llmc recover swarm-1 --checkpoint swarm-1.v12',
    'llmc recover lit-2 --from 7 --dry-run',
    'llmc recover lit-2 --from sections/s3 --dry-run',
  ],
  async run(input, shell) {
    const request = {
      run: input.args[0] ?? '',
      checkpoint: input.text('checkpoint'),
      from: input.text('from'),
      retryFailedStage: input.flag('retryFailedStage'),
      keepAgents: input.flag('keepAgents'),
      dropMessages: input.flag('dropMessages'),
    };
    const { readRecovery, recoveryText } = await import('../runs/dry-recovery.ts');
    if (input.flag('dryRun')) (await import('../runs/read-runs.ts')).sayIfGone(shell);
    if (input.flag('dryRun')) return { kind: 'recovery', recovery: await readRecovery(shell, request) };
    const { followToEnd, newestLine } = await import('../runs/follow-to-end.ts');
    const after = await newestLine(shell, request.run);
    const recovery = await shell.call('recover', request);
    if (recovery.outcome !== 'recovered' || input.flag('detach')) return { kind: 'recovery', recovery };
    for (const line of recoveryText(recovery).split('\n')) shell.say(line);
    return { kind: 'followed', view: await followToEnd(shell, request.run, { begun: `${request.run} goes on.`, after }) };
  },
  json: (output) => (output.kind === 'followed' ? output.view : output.recovery),
  async text(output, shell) {
    if (output.kind === 'followed') return (await import('../runs/follow-to-end.ts')).followedText(output.view, shell);
    return (await import('../runs/dry-recovery.ts')).recoveryText(output.recovery);
  },
});
