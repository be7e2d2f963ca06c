import type { CheckResult } from '../../doctor/check.ts';
import { defineVerb } from '../verb.ts';

interface DoctorOutput {
  readonly root: string;
  readonly healthy: boolean;
  readonly checks: readonly CheckResult[];
}

export const doctor = defineVerb<DoctorOutput>({
  name: 'doctor',
  summary: 'check this machine and this root',
  description: 'One line per check: ok, warning or failed, and what to do. Exit status 2 when something failed.',
  arguments: [],
  options: [],
  examples: ['llmc doctor', 'llmc doctor --json'],
  async run(_input, shell) {
    const { runDoctor } = await import('../../doctor/run.ts');
    const { CHECKS } = await import('../../doctor/checks.ts');
    const { doctorContext } = await import('../../doctor/context.ts');
    const { defaultCommandOf, recordedVersionsOf } = await import('../../agents/registry.ts');
    const agents = { defaultCommand: defaultCommandOf, recordedVersions: recordedVersionsOf };
    const checks = await runDoctor(CHECKS, doctorContext(shell.root, agents));
    const healthy = checks.every(({ level }) => level !== 'failed');
    if (!healthy) process.exitCode = 2;
    return { root: shell.root, healthy, checks };
  },
  text: ({ checks }) =>
    checks
      .map(({ name, level, message, hint }) => `${level.padEnd(7)} ${name}: ${message}${hint === undefined ? '' : `\n        → ${hint}`}`)
      .join('\n'),
});
