import { execFile } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeLayout } from '../src/store/layout.ts';
import { makeWorld, program } from './world.ts';

/** A turn, with its spinner, that outlasts every measurement. */
const SCENARIO = 'turns:\n  - when: keep busy\n    steps:\n      - take: 2h\n';

/** A running root in which the first `busy` workers have endless work and the others have none. */
export async function makeFleet(workers: number, busy: number) {
  const world = makeWorld();
  world.init();
  const scenario = join(world.folder, 'scenario.yaml');
  writeFileSync(scenario, SCENARIO);
  appendFileSync(join(world.root, 'config.toml'), `\n[agents.demo]\nargs = ["--scenario", ${JSON.stringify(scenario)}]\n`);
  const names = Array.from({ length: workers }, (_, index) => `w${index + 1}`);
  for (const name of names) world.llmc('add', name);
  world.llmc('up', '--detach');
  const run = promisify(execFile);
  const waiting = names.slice(0, busy);
  const startAll = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      await run(process.execPath, [program, 'start', '--worker', name, '--prompt', 'keep busy', '--root', world.root], { env: world.env });
  };
  await Promise.all(Array.from({ length: 4 }, startAll));
  const layout = makeLayout(world.root);
  const supervisor = Number(JSON.parse(world.llmc('status', '--json')).supervisor.pid);
  const server = Number(world.run('tmux', ['-S', layout.tmuxSocket, 'display-message', '-p', '#{pid}']));
  return { ...world, layout, names, supervisor, server };
}

export type Fleet = Awaited<ReturnType<typeof makeFleet>>;
