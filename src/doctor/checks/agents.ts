import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { workerSettings } from '../../config/worker-settings.ts';
import { type Check, type DoctorContext, type Finding, failed, ok, warning } from '../check.ts';
import { versionOf, withConfig } from '../needs.ts';

/** Only agents that somebody uses: the default, those of the workers, and their fallbacks. */
export const agentsCheck: Check = {
  name: 'agents',
  run: (context) =>
    withConfig(context, async (config) => {
      const findings = await Promise.all(usedAgents(config).map((name) => look(context, config, name)));
      const worst = findings.find(({ level }) => level === 'failed') ?? findings.find(({ level }) => level === 'warning');
      const message = findings.map((finding) => finding.message).join('; ');
      return worst === undefined ? ok(message) : { ...worst, message };
    }),
};

function usedAgents(config: Config): readonly string[] {
  const used = new Set([config.defaults.agent, ...Object.keys(config.workers).map((name) => workerSettings(config, name).agent)]);
  // A set grows while it is walked, so fallbacks of fallbacks are found too.
  for (const name of used) {
    const { fallback } = agentProgram(config, name);
    if (fallback !== undefined) used.add(fallback);
  }
  return [...used];
}

async function look(context: DoctorContext, config: Config, name: string): Promise<Finding> {
  const program = agentProgram(config, name);
  const command = program.command ?? context.defaultCommand(program.adapter);
  if (command === undefined)
    return failed(`${name}: this version of llmc has no adapter "${program.adapter}"`, 'Choose another agent in config.toml.');
  if (command === '') return ok(`${name} comes with llmc`);
  if (/\.[cm]?[jt]s$/.test(command)) {
    return (await context.exists(command)) ? ok(`${name} is ${command}`) : failed(`${name}: ${command} does not exist`, setHint(name));
  }
  const version = await versionOf(context, [command, '--version'], program.env);
  switch (version.kind) {
    case 'version':
      return ok(`${name} ${version.text}`);
    case 'missing':
      return failed(`${name}: ${command} is not on PATH`, `Install it, or ${setHint(name)}`);
    case 'no-answer':
      return warning(`${name}: ${command} --version ${version.reason}`, 'Start it once by hand and see what it says.');
  }
}

function setHint(name: string): string {
  return `set command under [agents.${name}] in config.toml.`;
}
