import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Comparison, median } from './compare.ts';
import { type Fleet, makeFleet } from './fleet-world.ts';

const TURNS = 15;
const FEW = 5;
const MANY = 50;

/** Measures the time from the agent's report that its turn ended to the new status: among fifty workers, and among five. */
export async function fleetTurns(): Promise<Comparison> {
  const among = async (workers: number) => {
    using world = await makeFleet(workers, workers - 1);
    return await addedMs(world);
  };
  return {
    name: `end of a turn to status among ${MANY} workers at work`,
    ours: await among(MANY),
    yardstick: `among ${FEW}`,
    theirs: await among(FEW),
    // Both take a few dozen milliseconds, mostly git, so their ratio is close to 1.
    aim: 1.5,
    note: `median of ${TURNS}`,
  };
}

async function addedMs(world: Fleet): Promise<number> {
  const name = world.names.at(-1) ?? '';
  world.llmc('start', '--worker', name, '--prompt', 'A first line', '--wait');
  for (let turn = 1; turn < TURNS; turn += 1) {
    world.llmc('message', name, `Another line, number ${turn}`);
    world.llmc('wait', name, '--for', 'needs_review', '--timeout', '60s');
  }
  using database = new DatabaseSync(join(world.root, 'llmc.db'), { readOnly: true });
  const times = (sql: string) =>
    database
      .prepare(sql)
      .all(name)
      .map((row) => Number(row.at_ms));
  const reported = times("SELECT at_ms FROM events WHERE worker = ? AND name = 'stop' ORDER BY seq");
  const changed = times("SELECT at_ms FROM history WHERE worker = ? AND kind = 'status' AND summary LIKE '%(committed)%' ORDER BY seq");
  if (reported.length !== TURNS || changed.length !== TURNS) throw new Error('not every turn was recorded exactly once');
  return median(changed.map((at, turn) => at - (reported[turn] ?? 0)));
}
