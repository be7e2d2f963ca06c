import { type Comparison, compare, timed } from './compare.ts';
import { makeWorld, type World } from './world.ts';

const MANY = 30;

/** Measures `up` until every worker is ready, with many workers. The yardstick is the same with one. */
export async function up(): Promise<Comparison> {
  using many = rootWith(MANY);
  using one = rootWith(1);
  const measure = (world: World) => () => {
    const ms = timed(() => world.llmc('up', '--detach'));
    world.llmc('down', '--force');
    return ms;
  };
  return await compare({
    name: `llmc up with ${MANY} workers`,
    yardstick: 'with one',
    aim: 6,
    rounds: 5,
    warmUps: 1,
    ours: measure(many),
    measureYardstick: measure(one),
  });
}

function rootWith(workers: number): World {
  const world = makeWorld();
  world.init();
  for (let index = 1; index <= workers; index += 1) world.llmc('add', `w${index}`);
  return world;
}
