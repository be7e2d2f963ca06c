import { type Comparison, median } from './compare.ts';
import { makeWorld, openTimes } from './world.ts';

const TURNS = 15;

/** Measures when the status changed after an accepted prompt. The yardstick is when the agent's own report of the end reached the spool. */
export async function turnEnd(): Promise<Comparison> {
  using world = makeWorld();
  world.init();
  world.llmc('add', 'adam');
  world.llmc('up', '--detach');
  world.llmc('start', '--prompt', 'A first line', '--wait');
  for (let turn = 1; turn < TURNS; turn += 1) {
    world.llmc('message', 'adam', `Another line, number ${turn}`);
    world.llmc('wait', 'adam', '--for', 'needs_review', '--timeout', '30s');
  }
  using times = openTimes(world.root);
  const accepted = times.of("SELECT at_ms FROM events WHERE name = 'prompt_submit' ORDER BY seq");
  const reported = times.of("SELECT at_ms FROM events WHERE name = 'stop' ORDER BY seq");
  const changed = times.of("SELECT at_ms FROM history WHERE kind = 'status' AND summary LIKE '%(committed)%' ORDER BY seq");
  if (accepted.length !== TURNS || reported.length !== TURNS || changed.length !== TURNS)
    throw new Error('not every turn was recorded exactly once');
  const since = (ends: readonly number[]) => median(ends.map((end, turn) => end - (accepted[turn] ?? 0)));
  const added = median(changed.map((at, turn) => at - (reported[turn] ?? 0)));
  return {
    name: `end of a turn to status change (added: ${added.toFixed(0)} ms, aim 100)`,
    ours: since(changed),
    yardstick: "the agent's own report",
    theirs: since(reported),
    aim: 1.1,
    note: `median of ${TURNS}`,
  };
}
