import { addWorkerTable } from '../config/edit.ts';
import { initialConfig } from '../config/initial.ts';
import { parseConfig } from '../config/parse.ts';
import type { Git } from '../git/run.ts';
import { readOrigin } from '../git/source/origin.ts';
import { inspectSource } from '../git/source/source.ts';
import { type Layout, makeLayout } from '../store/layout.ts';
import { readStateLeniently } from '../store/read-state-leniently.ts';
import { writePrivate } from '../system/files/files.ts';
import type { InitRequest, InitResult } from './init-request.ts';

/** Writes config.toml again from what the root knows: its remote, and each worker with its agent. Nothing else is touched. */
export async function rebuildConfig(git: Git, target: string, request: InitRequest): Promise<InitResult> {
  const layout = makeLayout(target);
  const source = await inspectSource(git, request.source ?? (await readOrigin(git, target)), request.branch);
  const workers = Object.values(readStateLeniently(layout).workers);
  const agent = request.agent ?? mostUsed(workers.map((worker) => worker.agent)) ?? 'claude';
  const config = workers.reduce(
    (text, worker) => addWorkerTable(text, worker.name, worker.agent === agent ? {} : { agent: worker.agent }),
    initialConfig({ source: source.path, branch: source.branch, agent }),
  );
  parseConfig(config, layout.config);
  writePrivate(layout.config, config);
  return {
    root: target,
    source: source.path,
    branch: source.branch,
    agent,
    lfs: false,
    sandbox: 'none',
    rebuilt: true,
    existing: false,
    warnings: [lost(layout)],
  };
}

function lost(layout: Layout): string {
  return `the other settings of the old ${layout.config} are lost: models, validation commands, declared agents.`;
}

function mostUsed(agents: readonly string[]): string | undefined {
  const counts = Map.groupBy(agents, (agent) => agent);
  return [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
}
