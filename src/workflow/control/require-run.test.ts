import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { headText, stateText } from '../mirror/state-text.ts';
import { Story } from '../next/samples.ts';
import { recoverRun } from '../recover/recover-run.ts';
import { abortRun } from './control-run.ts';
import { pauseRun } from './pause-run.ts';
import type { RunContext } from './post-event.ts';
import { collectRuns } from './require-run.ts';
import { requirePaused } from './resume-run.ts';

const request = { retryFailedStage: false, keepAgents: false, dropMessages: false };
const probes = { workers: () => Promise.resolve(new Map()), hasArtifact: () => true };

test.each<[string, (context: RunContext, run: string) => Promise<unknown>]>([
  ['recover', (context, run) => recoverRun(context, { run, ...request }, probes)],
  ['abort', (context, run) => abortRun(context, { run, why: 'enough' })],
  ['pause', (context, run) => pauseRun(context, { run, now: false })],
  ['resume', (context, run) => requirePaused(collectRuns(context), run)],
])('%s of a run that a restored database does not have yet names what brings it back', async (_, change) => {
  using scratch = scratchStore();
  const { run } = new Story();
  const folder = join(scratch.layout.runs, run.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'workflow.yaml'), headText(run));
  writeFileSync(join(folder, 'state.yaml'), stateText(run, 0));
  const random = { next: () => 0, id: () => 'id' };
  const context = { store: scratch.open(), clock: scratch.clock, random, supervised: false, signal: new AbortController().signal };
  await expect(change(context, run.id)).rejects.toMatchObject({ code: 'STATE_INVALID', hint: 'llmc up --detach' });
  await expect(change(context, 'swarm-2')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND', hint: 'llmc runs' });
});
