import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { TriedOut } from '../../doctor/canary/try-out.ts';
import type { CheckResult } from '../../doctor/check.ts';
import type { RebuiltWorker } from '../../workers/repair/rebuild-state.ts';
import { requirePerson } from '../owner/require-person.ts';
import type { RepairReport } from '../repair/repair-report.ts';
import { defineVerb } from '../verb.ts';

interface DoctorOutput {
  readonly root: string;
  readonly healthy: boolean;
  readonly checks: readonly CheckResult[];
  /** With --repair: what was found before, and what became of it. `checks` are the results afterwards. */
  readonly repairs?: readonly RepairReport[];
  /** With --rebuild. */
  readonly rebuilt?: readonly RebuiltWorker[];
  /** With --canary. */
  readonly canaries?: readonly TriedOut[];
}

export const doctor = defineVerb<DoctorOutput>({
  name: 'doctor',
  summary: 'check this machine and this root',
  description:
    'Prints one line per check: ok, warning or failed, and what to do. The exit status is 2 if a check failed. With --canary, doctor first runs one turn of each agent in use, in a temporary folder and against a demo API on this machine: no account, no tokens, no network. A failed canary is a warning. With --repair, doctor then repairs what it can, until the checks offer nothing more: on a terminal it asks about each finding, with the age of the copy it would restore and with your editor for config.toml and state.json; with --yes it does all of the plan that --dry-run prints, and otherwise only what ends and removes nothing. What shows up only after the first repairs is never removed without being named in a plan. Work is saved as a rescue before a repair removes it. With --dry-run it prints the plan and changes nothing. With --rebuild, doctor first writes state.json again from the branches, worktrees and conversations of the workers; it refuses while the state can be read, or restored from llmc.db, its copies or the backup: --repair does that, the newest good copy first.',
  arguments: [],
  options: [
    { flags: '--canary', about: 'test whether llmc understands the installed version of each agent' },
    { flags: '--repair', about: 'repair what the checks found' },
    { flags: '--dry-run', about: 'with --repair: print the plan and change nothing' },
    { flags: '--rebuild', about: 'make the state again from branches, worktrees and conversations, where nothing else is left of it' },
    { flags: '--agent <name>', about: 'with --canary: only this agent' },
  ],
  examples: [
    'llmc doctor',
    'llmc doctor --json',
    'llmc doctor --repair --dry-run',
    'llmc doctor --repair --yes',
    'llmc doctor --rebuild',
    'llmc doctor --canary --agent claude',
  ],
  async run(input, shell) {
    const agent = input.text('agent');
    if (agent !== undefined && !input.flag('canary'))
      throw new LlmcError('INVALID_ARGUMENT', '--agent needs --canary', {
        hint: commandLine('llmc', 'doctor', '--canary', '--agent', agent),
      });
    if (input.flag('dryRun') && !input.flag('repair'))
      throw new LlmcError('INVALID_ARGUMENT', '--dry-run needs --repair', { hint: 'llmc doctor --repair --dry-run' });
    const canaries = input.flag('canary') ? await (await import('../canary.ts')).canaryNow(shell, agent) : undefined;
    const rebuilt = input.flag('rebuild') ? await (await import('../repair/rebuild.ts')).rebuildAsOwner(shell) : undefined;
    const { examine } = await import('../repair/examine.ts');
    const found = await examine(shell);
    if (input.flag('repair') && !input.flag('dryRun')) await requirePerson('doctor --repair', shell);
    const { repairFound } = await import('../repair/repair-found.ts');
    const { repairRounds } = await import('../../doctor/repair-rounds.ts');
    const { checks, reports: repairs } = input.flag('repair')
      ? await repairRounds(found, {
          repair: (offers) => repairFound(shell, offers, input.flag('dryRun'), () => examine(shell)),
          examine: () => examine(shell),
        })
      : { checks: found, reports: undefined };
    const healthy = checks.every(({ level }) => level !== 'failed');
    if (!healthy) process.exitCode = 2;
    return { root: shell.root, healthy, checks, ...(rebuilt && { rebuilt }), ...(repairs && { repairs }), ...(canaries && { canaries }) };
  },
  async text({ checks, canaries, repairs, rebuilt }, shell) {
    const { doctorText, rebuiltText, repairsText } = await import('../text/doctor-text.ts');
    const lines = [
      ...(rebuilt === undefined ? [] : [rebuiltText(rebuilt), '']),
      doctorText(checks, shell.options.color, shell.display.columns),
      ...(repairs === undefined ? [] : ['', repairsText(repairs)]),
    ];
    if (canaries === undefined) return lines.join('\n');
    const { canaryText } = await import('../text/canary-text.ts');
    return [...lines, '', ...canaries.map(canaryText)].join('\n');
  },
});
