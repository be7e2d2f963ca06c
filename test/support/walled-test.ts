import { type TestContext, test } from 'vitest';
import { probeBubblewrap } from '../../src/sandbox/probe.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';

const PROBE = await probeBubblewrap(systemProcesses);

/** Where the kernel refuses a sandbox, the skipped test says why. A sandbox that is only not installed is a hole in the run. */
function requireSandbox({ skip }: TestContext): void {
  if (PROBE.kind === 'missing') skip();
  if (PROBE.kind === 'refused') skip(`no sandbox here: ${PROBE.reason}`);
}

/** A test that needs a sandbox of bubblewrap. */
export function walledTest(name: string, run: (context: TestContext) => Promise<void>): void {
  test(name, async (context) => {
    requireSandbox(context);
    await run(context);
  });
}

walledTest.for =
  <Row>(rows: readonly Row[]) =>
  (name: string, run: (row: Row) => Promise<void>): void =>
    test.for(rows)(name, async (row, context) => {
      requireSandbox(context);
      await run(row);
    });
