import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfigInForce } from '../../config/in-force.ts';
import { openWithoutTrace } from '../../store/database.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { systemClock } from '../../system/clock.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { leftWorktrees } from '../../workers/worktree/left-worktrees.ts';
import { archivedFolder } from '../../workflow/archive/archived.ts';
import { logsOfRun } from '../../workflow/archive/logs-of-run.ts';
import { type Cleaning, type CleaningRequest, type Kept, planCleaning } from '../../workflow/archive/plan-cleaning.ts';
import type { RunSummary } from '../../workflow/store/ports.ts';
import { openRuns } from '../runs/open-runs.ts';
import type { Shell } from '../shell.ts';
import { treeBytes } from './tree-bytes.ts';

/** What `llmc clean` takes. The names are part of the contract of `--json`. */
export interface CleaningPlan {
  readonly runs: readonly PlannedRun[];
  readonly worktrees: readonly PlannedWorktree[];
  readonly kept: readonly Kept[];
  /** Of all of it. */
  readonly bytes: number;
}

export interface PlannedRun {
  readonly run: string;
  readonly status: string;
  readonly ended_ms: number | null;
  readonly bytes: number;
  /** Where it goes. */
  readonly archive: string;
}

export interface PlannedWorktree {
  readonly worker: string;
  /** Null for a worktree that no worker has. */
  readonly run: string | null;
  readonly path: string;
  readonly bytes: number;
}

/** Reads from disk only, with or without a supervisor, and leaves no file behind. */
export async function readCleaning({ layout, say }: Pick<Shell, 'layout' | 'say'>, request: CleaningRequest): Promise<CleaningPlan> {
  using opened = openRuns(layout, openWithoutTrace);
  const { workers } = readStateLeniently(layout, openWithoutTrace);
  const { config } = await loadConfigInForce(layout.root);
  const known = new Set([...Object.keys(workers), ...Object.keys(config.workers)]);
  const summaries = await opened.runs.list();
  const runs = await Promise.all(summaries.map(async (run) => ({ ...run, open: await opened.records.hasOpenWork(run.id) })));
  const left = leftWorktrees(layout, known).map((name) => ({ name, changedMs: lstatSync(layout.worktree(name)).mtimeMs }));
  const plan = planCleaning({ runs, workers: Object.values(workers), left }, request, systemClock.now());
  const names = [...plan.workers, ...plan.left];
  if (names.length > 0) say(`Measuring ${names.length} worktrees.`);
  const worktrees: PlannedWorktree[] = [];
  for (const worker of names) {
    const path = layout.worktree(worker);
    worktrees.push({ worker, run: workers[worker]?.run?.id ?? null, path, bytes: await treeBytes(path) });
  }
  const planned = await plannedRuns(layout, plan, { summaries, workers: Object.keys(workers) });
  const bytes = [...planned, ...worktrees].reduce((sum, each) => sum + each.bytes, 0);
  return { runs: planned, worktrees, kept: plan.kept, bytes };
}

async function plannedRuns(
  layout: Shell['layout'],
  { runs }: Cleaning,
  { summaries, workers }: { readonly summaries: readonly RunSummary[]; readonly workers: readonly string[] },
): Promise<readonly PlannedRun[]> {
  const planned: PlannedRun[] = [];
  for (const { id, status, endedMs } of summaries) {
    if (!runs.includes(id)) continue;
    const logs = logsOfRun(systemFiles, layout, id, workers).map((name) => join(layout.logs, name));
    const sizes = [join(layout.runs, id), ...logs].map(treeBytes);
    const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
    planned.push({ run: id, status, ended_ms: endedMs, bytes, archive: archivedFolder(layout, id) });
  }
  return planned;
}
