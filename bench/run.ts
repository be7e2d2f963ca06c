import { accept } from './accept.ts';
import type { Comparison } from './compare.ts';
import { diffPane } from './diff-pane.ts';
import { fleet } from './fleet.ts';
import { fleetMemory } from './fleet-memory.ts';
import { fleetTurns } from './fleet-turns.ts';
import { hook } from './hook.ts';
import { restart } from './restart.ts';
import { review } from './review.ts';
import { runDecision } from './run-decision.ts';
import { runSections } from './run-sections.ts';
import { runThroughput } from './run-throughput.ts';
import { runWaiting } from './run-waiting.ts';
import { statusStart } from './status-start.ts';
import { turnEnd } from './turn-end.ts';
import { up } from './up.ts';
import { viewIdle, viewLatency, viewStart } from './view.ts';

const BENCHMARKS: Readonly<Record<string, () => Promise<Comparison | readonly Comparison[]>>> = {
  status: statusStart,
  accept,
  review,
  hook,
  'turn-end': turnEnd,
  restart,
  up,
  fleet,
  'fleet-memory': fleetMemory,
  'fleet-turns': fleetTurns,
  'diff-pane': diffPane,
  'run-decision': runDecision,
  'run-sections': runSections,
  'run-throughput': runThroughput,
  'run-waiting': runWaiting,
  'view-start': viewStart,
  'view-latency': viewLatency,
  'view-idle': viewIdle,
};

const asked = process.argv.slice(2);
for (const name of asked)
  if (!(name in BENCHMARKS)) throw new Error(`no benchmark ${name}; there are ${Object.keys(BENCHMARKS).join(', ')}`);

const table: string[][] = [['what', 'ours', 'next to', 'theirs', 'ratio', 'aim', '']];
for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const { name: what, ours, yardstick, theirs, aim, note, show = ms } of [await benchmark()].flat()) {
    const ratio = ours / theirs;
    const verdict = ratio <= aim ? 'reached' : 'missed';
    table.push([what, show(ours), yardstick, show(theirs), ratio.toFixed(2), `<= ${aim}`, `${verdict}, ${note}`]);
  }
}

const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of table)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
