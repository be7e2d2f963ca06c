import fc, { type Arbitrary } from 'fast-check';
import { expect } from 'vitest';
import { timeBox } from '../../../src/system/time-box.ts';
import { isFullRun } from '../../support/full-run.ts';

const RUNS = isFullRun ? 10_000 : 300;
/** For one test of a full run on a busy machine: 10,000 inputs took up to 154 s at a load of 22. */
export const LONGEST_MS = 1_800_000;
/** Only a hang takes this long, on any machine; V8 stops it, so that the test fails instead of hanging too. */
const HANG_MS = 60_000;
/** Processor time for one input: far above what any takes, and in proportion to its size. A square of the size exceeds it. */
const allowedMs = (size: number): number => 1_000 + size / 50;

/** Runs `work` with many hostile inputs. It must not throw, not hang, and not change what all objects inherit. */
export function withstands<Input>(inputs: Arbitrary<Input>, work: (input: Input) => void): void {
  fc.assert(
    fc.property(inputs, (input) => {
      const size = typeof input === 'string' ? input.length : JSON.stringify(input).length;
      const before = process.cpuUsage();
      const done = timeBox(HANG_MS, () => {
        work(input);
        return true;
      });
      expect(done, 'it takes for ever').toBe(true);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000, 'processor time in proportion to the input').toBeLessThan(allowedMs(size));
    }),
    // The same inputs in every ordinary run, new ones in each full run; a failure prints the seed that repeats it.
    { numRuns: RUNS, ...(!isFullRun && { seed: 8 }) },
  );
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
}
