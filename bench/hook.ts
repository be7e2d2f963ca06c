import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOOK_SCRIPT } from '../src/agents/hook.sh.ts';
import { type Comparison, compare, timed } from './compare.ts';
import { makeWorld } from './world.ts';

/** Measures how long an agent waits for one hook. The yardstick is a shell that does nothing. */
export async function hook(): Promise<Comparison> {
  using world = makeWorld();
  const spool = join(world.folder, 'spool');
  const script = join(world.folder, 'hook.sh');
  mkdirSync(spool);
  writeFileSync(script, HOOK_SCRIPT);
  const env = { PATH: process.env.PATH, LLMC_SPOOL: spool, LLMC_INCARNATION: '1' };
  const input = JSON.stringify({ session_id: 'bench', prompt: 'x'.repeat(1_000) });
  const sh = (args: readonly string[]) => timed(() => spawnSync('sh', args, { env, input }));
  const result = await compare({
    name: 'one hook of an agent',
    yardstick: 'sh -c true',
    aim: 4,
    rounds: 101,
    warmUps: 5,
    ours: () => sh([script, 'Stop']),
    measureYardstick: () => sh(['-c', 'true']),
  });
  if (readdirSync(spool).length !== 106) throw new Error('the hook did not write one file per call');
  return result;
}
