import { join } from 'node:path';
import type { Clock, Files } from '../../base/ports.ts';
import { RUN_HEAD_FILE } from '../../store/layout.ts';
import { isOfItem } from '../model/address.ts';
import { isOver, type Run } from '../model/run.ts';
import { listItems } from '../model/stage-at.ts';
import type { RunCommit, RunRecords, RunStore } from '../store/ports.ts';
import { savedRun } from '../store/saved-run.ts';
import { recordsText } from './records-text.ts';
import { headText, isSound, itemsText, markerText, readHead, stateText } from './state-text.ts';

type MirrorFiles = Pick<Files, 'exists' | 'makeFolder' | 'readText' | 'replace' | 'rename' | 'remove'>;

type WrittenRecords = Pick<RunRecords, 'errors' | 'questions' | 'retries' | 'history'>;

export interface MirrorOptions {
  readonly files: MirrorFiles;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly records: WrittenRecords;
  readonly folderOf: (run: string) => string;
  /** Aborted when this process ends: another one writes the files from then on. */
  readonly signal?: AbortSignal;
}

export const STATE_FILE = 'state.yaml';
export const BACKUP_FILE = 'state.bak';
/** What runs leave behind for people: the state of a run does not have it. */
export const RECORDS_FILE = 'records.yaml';
/** A decision takes milliseconds, and a disk may need as long for each file. */
const AT_MOST_EVERY_MS = 1_000;

/** Stages of items have a slash in their address. */
function markerName(address: string): string {
  return `stage_${address.replace('/', '~')}_complete.yaml`;
}

/** The items of a `for_each`, as its list had them. */
function listName(forEach: string): string {
  return `stage_${forEach}_items.yaml`;
}

/**
 * Mirrors each run into files of its folder, so that it can be rebuilt without the database: at once when a stage of its plan ends,
 * otherwise at most once a second. The database is what counts, so a mirror that cannot be written stops nothing.
 */
export function mirroredRuns(runs: RunStore, options: MirrorOptions): RunStore {
  const latest = new Map<string, Run>();
  const writtenAt = new Map<string, number>();
  const planOf = new Map<string, string>();
  const textOf = new Map<string, string>();
  const write = (run: Run): void => {
    if (planOf.get(run.id) !== run.plan.digest) writeHead(options, run);
    planOf.set(run.id, run.plan.digest);
    const text = writeMirror(options, run, textOf.get(run.id));
    if (run.clock.endedMs === null) textOf.set(run.id, text);
    else textOf.delete(run.id);
    writtenAt.set(run.id, options.clock.now());
    latest.delete(run.id);
    void writeRecords(options, run.id).catch(() => undefined);
  };
  const later = async (id: string, ms: number): Promise<void> => {
    // At the end of this process it is written at once: a second later it could replace what the next one has written.
    await options.clock.sleep(ms, options.signal).catch(() => undefined);
    const run = latest.get(id);
    if (run !== undefined) quietly(() => write(run));
  };
  const mirror = (commit: RunCommit): void => {
    const run = savedRun(commit);
    quietly(() => writeMarkers(options, commit));
    if (commit.decision.records.some(({ kind }) => kind === 'plan')) return quietly(() => write(run));
    const waitMs = AT_MOST_EVERY_MS - (options.clock.now() - (writtenAt.get(run.id) ?? Number.NEGATIVE_INFINITY));
    if (waitMs <= 0 || hasEnding(commit)) return quietly(() => write(run));
    const isPlanned = latest.has(run.id);
    latest.set(run.id, run);
    if (!isPlanned) void later(run.id, waitMs).catch(() => undefined);
  };
  return {
    ...runs,
    async commit(commit) {
      const committed = await runs.commit(commit);
      if (committed) mirror(commit);
      return committed;
    },
    async retried(run, key, failed, outcome) {
      await runs.retried(run, key, failed, outcome);
      // No decision may follow.
      void writeRecords(options, run).catch(() => undefined);
    },
  };
}

function quietly(write: () => void): void {
  try {
    write();
  } catch {
    // A full disk: the next decision writes all of it again.
  }
}

/** With every write of the state, from the database: what a full disk left out once is there the next time. */
async function writeRecords({ files, folderOf, records }: MirrorOptions, run: string): Promise<void> {
  const [errors, questions, retries, history] = await Promise.all([
    ...([records.errors(run), records.questions(run), records.retries(run), records.history(run)] as const),
  ]);
  files.replace(join(folderOf(run), RECORDS_FILE), recordsText(run, { errors, questions, retries, history }));
}

/** The plan of the run. One that it had before is kept under its digest: a run can go on with a changed workflow. */
function writeHead({ files, folderOf }: MirrorOptions, run: Run): void {
  const folder = folderOf(run.id);
  const head = join(folder, RUN_HEAD_FILE);
  files.makeFolder(folder);
  const there = files.exists(head) ? files.readText(head) : undefined;
  const text = headText(run);
  if (there === text) return;
  const before = there === undefined ? undefined : readHead(there);
  if (there !== undefined && before !== undefined) files.replace(join(folder, `workflow-${before.plan.digest.slice(0, 12)}.yaml`), there);
  files.replace(head, text);
}

/** Written beside, parsed, then renamed; what was there before is the backup, unless the disk damaged it. */
function writeMirror({ files, clock, folderOf }: MirrorOptions, run: Run, before: string | undefined): string {
  const folder = folderOf(run.id);
  const [state, backup] = [join(folder, STATE_FILE), join(folder, BACKUP_FILE)];
  files.makeFolder(folder);
  const text = stateText(run, clock.now());
  if (!isSound(text)) throw new Error(`the state of ${run.id} cannot be read back`);
  const there = files.exists(state) ? textIn(files, state) : undefined;
  // To compare takes less time than to parse.
  if (there !== undefined && (there === before || isSound(there))) files.rename(state, backup);
  files.replace(state, text);
  return text;
}

function textIn(files: MirrorFiles, path: string): string | undefined {
  try {
    return files.readText(path);
  } catch {
    // A disk that cannot read it.
    return undefined;
  }
}

/** Not the stages of items: their markers are written at once, and a run may have hundreds of them. */
function hasEnding({ decision: { run, changedSteps } }: RunCommit): boolean {
  return run.clock.endedMs !== null || changedSteps.some((address) => !isOfItem(address) && hasEnded(run, address));
}

function hasEnded({ steps }: Run, address: string): boolean {
  const step = steps[address];
  return step !== undefined && isOver(step);
}

/** A marker for each stage that has ended. One that a later stage sent back is not complete any more. */
function writeMarkers({ files, folderOf, clock }: MirrorOptions, { decision: { run, changedSteps } }: RunCommit): void {
  const folder = folderOf(run.id);
  files.makeFolder(folder);
  for (const address of changedSteps) {
    const path = join(folder, markerName(address));
    const step = run.steps[address];
    if (step !== undefined && isOver(step)) files.replace(path, markerText(step, clock.now()));
    else if (files.exists(path)) files.remove(path);
  }
  for (const { id, kind } of run.plan.stages) {
    // It changes whenever its list is read or given up.
    if (kind !== 'for_each' || !changedSteps.includes(id)) continue;
    const path = join(folder, listName(id));
    if (listItems(run, id).length > 0) files.replace(path, itemsText(run, id));
    else if (files.exists(path)) files.remove(path);
  }
}
