import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { probeBubblewrap } from '../../src/sandbox/probe.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';

const ENSURE = join(import.meta.dirname, '../../scripts/ensure-system.mjs');

async function problem(): Promise<string | undefined> {
  if ((await probeBubblewrap(systemProcesses)).kind === 'missing') spawnSync(process.execPath, [ENSURE, 'bwrap'], { stdio: 'ignore' });
  const probe = await probeBubblewrap(systemProcesses);
  return probe.kind === 'works' ? undefined : probe.kind === 'missing' ? 'bubblewrap cannot be installed' : probe.reason;
}

const PROBLEM = await problem();

const nameOf = (name: string): string => (PROBLEM === undefined ? name : `${name} (no sandbox here: ${PROBLEM})`);

/** A test that needs a sandbox of bubblewrap. Where the kernel refuses one, the name of the skipped test says why. */
export function walledTest(name: string, run: (context: TestContext) => Promise<void>): void {
  test.skipIf(PROBLEM !== undefined)(nameOf(name), run);
}

walledTest.for =
  <Row>(rows: readonly Row[]) =>
  (name: string, run: (row: Row) => Promise<void>): void =>
    test.skipIf(PROBLEM !== undefined).for(rows)(nameOf(name), run);
