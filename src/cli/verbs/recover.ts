import type { Recovery } from '../../workflow/recover/recover-run.ts';
import { defineVerb } from '../verb.ts';

export const recover = defineVerb<Recovery>({
  name: 'recover',
  summary: 'let a run that failed or was aborted go on from a checkpoint',
  description:
    'Takes the newest checkpoint that is not damaged, or the one you name. Stages that are done stay done, unless you name an older checkpoint. The stage that failed is skipped, unless a review or a landing needs its result; with --retry-failed-stage it runs again in any case. Each agent begins a fresh conversation in its worktree, with what it had left there. The steps are reported one by one; --dry-run prints them and changes nothing.',
  decides: true,
  arguments: [{ syntax: '<run>', about: 'the run' }],
  options: [
    { flags: '--checkpoint <id>', about: 'go on from this one: llmc checkpoint <run> --list' },
    { flags: '--retry-failed-stage', about: 'run the failed stage again instead of skipping it' },
    { flags: '--keep-agents', about: 'let the agents go on in their conversations' },
    { flags: '--drop-messages', about: 'drop messages that were not delivered' },
    { flags: '--dry-run', about: 'print what would be done, and change nothing' },
  ],
  examples: [
    'llmc recover swarm-1 --dry-run',
    'llmc recover swarm-1 --retry-failed-stage',
    'llmc recover swarm-1 --checkpoint swarm-1.v12',
  ],
  async run(input, shell) {
    const request = {
      run: input.args[0] ?? '',
      checkpoint: input.text('checkpoint'),
      retryFailedStage: input.flag('retryFailedStage'),
      keepAgents: input.flag('keepAgents'),
      dropMessages: input.flag('dropMessages'),
    };
    if (input.flag('dryRun')) return await (await import('../runs/dry-recovery.ts')).readRecovery(shell, request);
    return await shell.call('recover', request);
  },
  text: async (recovery) => (await import('../runs/dry-recovery.ts')).recoveryText(recovery),
});
