import { commandLine } from '../../base/shell-quote.ts';
import { type AgentProgram, agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { agentVersion, judgeVersion } from '../agent-version.ts';
import { type Check, type DoctorContext, type Finding, failed, ok, warning } from '../check.ts';
import { judgeDeclared } from '../declared-agent.ts';
import { readVersion, withConfig } from '../needs.ts';
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
  if (program.declaration !== undefined) return await lookForCommand(context, program, command);
  if (command === '') return ok(`${name} is built into llmc`);
  if (/\.[cm]?[jt]s$/.test(command)) {
    return (await context.exists(command)) ? ok(`${name} is ${command}`) : failed(`${name}: ${command} does not exist`, setHint(name));
  }
  const version = await readVersion(context, [command, '--version'], program.env);
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
async function lookForCommand(context: DoctorContext, program: AgentProgram, command: string): Promise<Finding> {
  const { name, env } = program;
  const { outcome, stdout } = await context.processes.run(
    { file: 'sh', args: ['-c', 'command -v -- "$1"', 'sh', command], env, stdin: '' },
    { timeoutMs: 5_000 },
  );
  const found = outcome.kind === 'exited' && outcome.status === 0 ? stdout.trim() : '';
  if (found.startsWith('/') || found.startsWith('.')) return judgeDeclared(program, found, context.wrongPatterns());
  if (found !== '')
    return failed(`${name}: ${command} is a command of the shell, not a program`, `Name the program that it runs: ${setHint(name)}`);
  return await whyNotFound(context, name, command);
}

/** What people write in place of a program. */
async function whyNotFound(context: DoctorContext, name: string, command: string): Promise<Finding> {
  const [program = '', ...words] = command.split(/\s+/);
  if (command.includes('/') && (await context.exists(command)))
    return failed(`${name}: ${command} is not executable`, `${commandLine('chmod', '+x', command)}, or ${setHint(name)}`);
  if (words.length > 0)
    return failed(
      `${name}: there is no program with the name "${command}"`,
      `command is one program. Write: command = ${JSON.stringify(program)}, args = ${JSON.stringify(words)}`,
    );
  const alias = 'If it is an alias or a function of your shell, name the program that it runs.';
  return failed(`${name}: ${command} is not a program on PATH`, `Install it, or ${setHint(name)} ${alias}`);
}

function setHint(name: string): string {
  return `set command under [agents.${name}] in config.toml.`;
}
