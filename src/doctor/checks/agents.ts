import { type AgentProgram, agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { agentVersion, judgeVersion } from '../agent-version.ts';
import { type Check, type DoctorContext, type Finding, failed, ok, warning } from '../check.ts';
import { versionOf, withConfig } from '../needs.ts';
import { usedAgents } from '../used-agents.ts';

/** Checks for every agent in use that its program is installed, and that its version is recorded. */
export const agentsCheck: Check = {
  name: 'agents',
  run: (context) =>
    withConfig(context, async (config) => {
      const findings = await Promise.all(usedAgents(config).map((name) => checkAgent(context, config, name)));
      const worst = findings.find(({ level }) => level === 'failed') ?? findings.find(({ level }) => level === 'warning');
      const message = findings.map((finding) => finding.message).join('; ');
      const versions = findings.flatMap(({ details }) => details ?? []);
      return { ...(worst ?? ok(message)), message, ...(versions.length > 0 && { details: versions }) };
    }),
};

async function checkAgent(context: DoctorContext, config: Config, name: string): Promise<Finding> {
  const program = agentProgram(config, name);
  const command = program.command ?? context.defaultCommand(program.adapter);
  if (command === undefined)
    return failed(`${name}: this version of llmc has no adapter "${program.adapter}"`, 'Choose another agent in config.toml.');
  if (program.declaration !== undefined) return await lookForCommand(context, name, command, program.env);
  if (command === '') return ok(`${name} is built into llmc`);
  if (/\.[cm]?[jt]s$/.test(command)) {
    return (await context.exists(command)) ? ok(`${name} is ${command}`) : failed(`${name}: ${command} does not exist`, setHint(name));
  }
  const version = await versionOf(context, [command, '--version'], program.env);
  switch (version.kind) {
    case 'version':
      return judge(context, program, version.text);
    case 'missing':
      return failed(`${name}: ${command} is not on PATH`, `Install it, or ${setHint(name)}`);
    case 'no-answer':
      return warning(`${name}: ${command} --version ${version.reason}`, 'Start it once by hand and read its output.');
  }
}

function judge({ recordedVersions, canaryOf }: DoctorContext, program: AgentProgram, said: string): Finding {
  const recorded = recordedVersions(program.adapter);
  if (recorded === undefined) return ok(`${program.name} ${said}`);
  const version = agentVersion(program, said, recorded, canaryOf);
  if (version !== undefined) return { ...judgeVersion(version), details: version };
  return warning(
    `${program.name}: --version prints "${said}", which contains no version`,
    `Is it the right program? ${capital(setHint(program.name))}`,
  );
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Only searches for the program: a declared program may do anything with `--version`. */
async function lookForCommand(
  context: DoctorContext,
  name: string,
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<Finding> {
  const { outcome, stdout } = await context.processes.run(
    { file: 'sh', args: ['-c', 'command -v -- "$1"', 'sh', command], env, stdin: '' },
    { timeoutMs: 5_000 },
  );
  if (outcome.kind === 'exited' && outcome.status === 0) return ok(`${name} is ${stdout.trim()}`);
  return failed(`${name}: ${command} is not a program on PATH`, `Install it, or ${setHint(name)}`);
}

function setHint(name: string): string {
  return `set command under [agents.${name}] in config.toml.`;
}
