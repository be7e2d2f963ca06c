import { type Comparison, compare, timed } from './compare.ts';
import { makeWorld } from './world.ts';

/** Measures how long `llmc status` takes. The yardstick is a Node process that does nothing. */
export async function statusStart(): Promise<Comparison> {
  using world = makeWorld();
  world.init();
  for (const name of ['adam', 'bea', 'carl']) world.llmc('add', name);
  return await compare({
    name: 'llmc status, cold start',
    yardstick: 'node -e 0',
    aim: 2.5,
    rounds: 31,
    warmUps: 3,
    ours: () => timed(() => world.llmc('status')),
    measureYardstick: () => timed(() => world.run(process.execPath, ['-e', '0'])),
  });
}
