import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { user } from './attack.ts';
import { unreviewed } from './harm.ts';
import { fastImport, PLAIN_CHANGES, type RandomChange, randomChange } from './random-change.ts';
import { Stage } from './stage.ts';

const RUNS = isFullRun ? 300 : 12;
/** Each run is a dozen processes of git. */
const LONGEST_MS = RUNS * 20_000;

test('what lands is what the review showed, byte for byte, or accept refuses', { timeout: LONGEST_MS }, async () => {
  await using stage = await Stage.make();
  const landed = new Set<RandomChange>();
  const holds = async (change: RandomChange) => {
    stage.reset();
    const main = stage.main;
    for (const setting of change.settings) await stage.world.git('config', ...setting.split(' '));
    stage.importCommit(fastImport(change, 'refs/heads/llmc/adam'));
    for (const trick of change.tricks) stage.agent(`(${trick}) || true`);
    // With a replaced tree, or a filter that is gone, the worktree may look edited.
    stage.agent('git reset --quiet --hard || true');
    const reviewed = await stage.perform(user('llmc review adam --json'));
    if (change.later !== '') stage.agent(`(${change.later}) || true; git add --all || true; git commit --quiet -m Later || true`);
    await stage.perform(user('llmc accept adam'));
    if (stage.main !== main) landed.add(change);
    const harm = unreviewed(stage, reviewed, main);
    expect(harm, harm.join('\n')).toEqual([]);
  };
  const examples = PLAIN_CHANGES.map((change): [RandomChange] => [change]);
  await fc.assert(fc.asyncProperty(randomChange, holds), { numRuns: RUNS, endOnFailure: true, examples });
  // A property about landings that never land would prove nothing, and a dozen random changes may all be refused.
  expect([...landed]).toEqual(expect.arrayContaining([...PLAIN_CHANGES]));
});
