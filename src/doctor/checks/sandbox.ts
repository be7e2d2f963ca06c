import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { sandboxUsers, workerSettings } from '../../config/worker-settings.ts';
import { probeBubblewrap, sandboxHint } from '../../sandbox/probe.ts';
import { probeUser, userProblem } from '../../sandbox/probe-user.ts';
import { type Check, type DoctorContext, type Finding, failed, ok } from '../check.ts';
import { withConfig } from '../needs.ts';

/** Makes a real sandbox of each kind that a worker should get. */
export const sandboxCheck: Check = {
  name: 'sandbox',
  run: (context) =>
    withConfig(context, async (config) => {
      const of = (kind: string) => Object.keys(config.workers).filter((name) => workerSettings(config, name).sandbox === kind);
      const holes = holesIn(config, of('none'));
      if (holes.length > 0)
        return failed(
          `the wall that config.toml demands has holes: ${holes.join('; ')}`,
          'Correct [sandbox] in config.toml (docs/sandbox.md), or set required = false.',
        );
      const findings: Finding[] = [];
      if (of('bubblewrap').length > 0 || config.sandbox.kind === 'bubblewrap')
        findings.push(await checkBubblewrap(context, of('bubblewrap')));
      for (const name of of('user')) findings.push(await checkUser(context, config, name));
      if (findings.length === 0 && config.sandbox.kind === 'user') findings.push(await checkUser(context, config));
      if (findings.length === 0) return ok('none configured: agents may do what you may do (docs/sandbox.md)');
      return findings.find(({ level }) => level === 'failed') ?? ok(findings.map(({ message }) => message).join('; '));
    }),
};

/** What a hardened root allows all the same. */
function holesIn({ sandbox }: Config, unwalled: readonly string[]): readonly string[] {
  if (!sandbox.required) return [];
  return [
    ...(sandbox.kind === 'none' ? ['kind is "none", so new agents do not start'] : []),
    ...(unwalled.length > 0 ? [`no sandbox for ${unwalled.join(', ')}, so their agents do not start`] : []),
    ...(sandbox.kind === 'bubblewrap' && sandbox.network === 'full' ? ['network is "full"'] : []),
    ...(sandbox.home === 'read-only' ? ['home is "read-only", with every key and token in it'] : []),
    ...(sandbox.environment === undefined ? ['environment has no list, so agents get every variable'] : []),
  ];
}

async function checkBubblewrap(context: DoctorContext, workers: readonly string[]): Promise<Finding> {
  const probe = await probeBubblewrap(context.processes);
  const whose = workers.length === 0 ? 'no worker yet' : workers.join(', ');
  if (probe.kind === 'works') return ok(`bubblewrap works, for ${whose}`);
  const problem = probe.kind === 'missing' ? 'bubblewrap is not installed' : `bubblewrap cannot make a sandbox: ${probe.reason}`;
  return failed(`${problem}; agents that should run in it do not start: ${whose}`, sandboxHint(probe));
}

async function checkUser({ processes, root, defaultCommand }: DoctorContext, config: Config, worker?: string): Promise<Finding> {
  const settings = worker === undefined ? undefined : workerSettings(config, worker);
  const name = settings?.sandboxUser ?? config.sandbox.user;
  const program = agentProgram(config, settings?.agent ?? config.defaults.agent);
  const probe = await probeUser(processes, {
    name,
    users: sandboxUsers(config),
    root,
    program: program.command ?? defaultCommand(program.adapter),
  });
  if (probe.kind === 'works') return ok(`${worker ?? 'an agent'} can run as ${name}`);
  const { problem, hint } = userProblem(name, probe);
  return failed(worker === undefined ? problem : `${problem}; the agent of ${worker} does not start`, hint);
}
