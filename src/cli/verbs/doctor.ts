import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { TriedOut } from '../../doctor/canary/try-out.ts';
import type { CheckResult } from '../../doctor/check.ts';
import { isSupervised } from '../../supervisor/api/client.ts';
import { exists } from '../../system/files/files.ts';
import { defineVerb } from '../verb.ts';

interface DoctorOutput {
  readonly root: string;
  readonly healthy: boolean;
  readonly checks: readonly CheckResult[];
  /** With --canary. */
  readonly canaries?: readonly TriedOut[];
}

export const doctor = defineVerb<DoctorOutput>({
  name: 'doctor',
  summary: 'check this machine and this root',
  description:
    'Prints one line per check: ok, warning or failed, and what to do. The exit status is 2 if a check failed. With --canary, doctor first runs one turn of each agent in use, in a temporary folder and against a demo API on this machine: no account, no tokens, no network. A failed canary is a warning.',
  arguments: [],
  options: [
    { flags: '--canary', about: 'test whether llmc understands the installed version of each agent' },
    { flags: '--agent <name>', about: 'with --canary: only this agent' },
  ],
  examples: ['llmc doctor', 'llmc doctor --json', 'llmc doctor --canary', 'llmc doctor --canary --agent claude'],
  async run(input, shell) {
    const agent = input.text('agent');
    if (agent !== undefined && !input.flag('canary'))
      throw new LlmcError('INVALID_ARGUMENT', '--agent needs --canary', {
        hint: commandLine('llmc', 'doctor', '--canary', '--agent', agent),
      });
    const canaries = input.flag('canary') ? await (await import('../canary.ts')).canaryNow(shell, agent) : undefined;
    const { runDoctor } = await import('../../doctor/run.ts');
    const { CHECKS, CHECKS_BEFORE_INIT } = await import('../../doctor/checks.ts');
    const { config, state, database } = shell.layout;
    const hasRoot = [config, state, database].some((file) => exists(file));
    const { doctorContext } = await import('../../doctor/context.ts');
    const { defaultCommandOf, recordedVersionsOf } = await import('../../agents/registry.ts');
    const agents = {
      ...{ defaultCommand: defaultCommandOf, recordedVersions: recordedVersionsOf },
      // A supervisor that does not answer, for example after Ctrl+Z, still supervises.
      isSupervised: async () => await isSupervised(shell.layout.apiSocket, shell.layout.owner).catch(() => true),
    };
    const checks = await runDoctor(hasRoot ? CHECKS : CHECKS_BEFORE_INIT, doctorContext(shell.root, shell.options.version, agents));
    const healthy = checks.every(({ level }) => level !== 'failed');
    if (!healthy) process.exitCode = 2;
    return { root: shell.root, healthy, checks, ...(canaries && { canaries }) };
  },
  async text({ checks, canaries }, shell) {
    const { doctorText } = await import('../text/doctor-text.ts');
    const lines = doctorText(checks, shell.options.color, shell.display.columns);
    if (canaries === undefined) return lines;
    const { canaryText } = await import('../text/canary-text.ts');
    return [lines, '', ...canaries.map(canaryText)].join('\n');
  },
});
