import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDiff } from '../src/tui/diff/diff-view.ts';
import { drawDiff } from '../src/tui/diff/draw/draw-diff.ts';
import { sampleWork } from '../src/tui/diff/samples.ts';
import { updateDiff } from '../src/tui/diff/update-diff.ts';
import { type Comparison, compare, timed } from './compare.ts';
import { makeWorld } from './world.ts';

const SIZE = { columns: 150, rows: 50 };
const CHANGED = 50_000;

/** Opens a diff of 100,000 lines in the pane, and presses a key in it. The yardstick is git, which prints the same diff. */
export async function diffPane(): Promise<readonly Comparison[]> {
  using world = makeWorld();
  const file = (word: string) =>
    Array.from({ length: CHANGED }, (_, at) => `  const value${at} = of(${at}, '${word}'); // ${word}\n`).join('');
  writeFileSync(join(world.source, 'long.ts'), file('one'));
  world.git(world.source, 'add', '.');
  world.git(world.source, 'commit', '--quiet', '--message', 'A long file');
  writeFileSync(join(world.source, 'long.ts'), file('two'));
  const print = () => `${world.git(world.source, 'diff')}\n`;
  const diff = print();
  const opened = openDiff(sampleWork({ diff }));
  const against = { yardstick: 'git diff', rounds: 9, warmUps: 2, measureYardstick: () => timed(print) };
  return [
    await compare({
      ...against,
      name: 'diff of 100,000 lines, opened and drawn',
      aim: 1,
      ours: () => timed(() => drawDiff(openDiff(sampleWork({ diff })), SIZE)),
    }),
    await compare({
      ...against,
      name: 'diff of 100,000 lines, a key at its end',
      aim: 0.1,
      ours: () => timed(() => drawDiff(updateDiff(opened, { kind: 'key', key: 'G' }, SIZE).diff, SIZE)),
    }),
  ];
}
