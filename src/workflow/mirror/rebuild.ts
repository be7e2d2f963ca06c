import { join } from 'node:path';
import type { Files, Instant } from '../../base/ports.ts';
import { errorRecord } from '../../recovery/error-record.ts';
import { RUN_HEAD_FILE } from '../../store/layout.ts';
import type { Plan } from '../definition/plan.ts';
import { inItem } from '../model/address.ts';
import { newRun } from '../model/new-run.ts';
import { newStep } from '../model/new-step.ts';
import { isOver, type Run, type Step } from '../model/run.ts';
import { hasEnded } from '../next/next.ts';
import { KEPT_AFTER_FAILURE_MS } from '../next/release/dismiss.ts';
import { BACKUP_FILE, RECORDS_FILE, STATE_FILE } from './mirror.ts';
import { type KeptRecords, readRecords } from './records-text.ts';
import { readHead, readList, readMarker, readState } from './state-text.ts';

/** A run that was read back from its files, and from which of them. */
export interface Rebuilt {
  readonly source: 'state.yaml' | 'state.bak' | 'the markers of its stages';
  /** As it was when the files were written: what a recovery goes on from. */
  readonly before: Run;
  /** Its failures, questions and the like. What its files do not have is not known any more. */
  readonly records: KeptRecords;
  /** As it is now: it has ended, because its agents and its tasks are not known any more. */
  readonly run: Run;
}

/** Action ids that the files do not know yet must not be given a second time: a worker takes a known id for a task that it has. */
const SKIPPED_IDS = 1_000;
const IDS_OF_MARKERS = 1_000_000;
const MOST_FILES = 20_000;

/**
 * Reads a run back from `state.yaml`, else from its backup, else from the markers of its stages alone; undefined if there is nothing to
 * read. A marker is written before the state, so it may know of an end that the state does not.
 */
export function rebuild(files: Pick<Files, 'readText' | 'names'>, folder: string, at: Instant): Rebuilt | undefined {
  const rebuilt = rebuildRun(files, folder, at);
  return rebuilt && { ...rebuilt, records: readKeptRecords(files, folder, rebuilt.before) };
}

/** The state has the questions that are open, and the last ones with an answer. */
function readKeptRecords(files: Pick<Files, 'readText'>, folder: string, { id, escalations }: Run): KeptRecords {
  const { questions, ...kept } = parsed(files, join(folder, RECORDS_FILE), (text) => readRecords(id, text)) ?? NO_RECORDS;
  const newer = new Map([...questions, ...escalations].map((one) => [one.number, one]));
  return { ...kept, questions: [...newer.values()].toSorted((one, other) => one.number - other.number) };
}

const NO_RECORDS: KeptRecords = { errors: [], questions: [], retries: [], history: [] };

type RebuiltRun = Omit<Rebuilt, 'records'>;

function rebuildRun(files: Pick<Files, 'readText' | 'names'>, folder: string, at: Instant): RebuiltRun | undefined {
  const marked = readMarkers(files, folder);
  for (const source of [STATE_FILE, BACKUP_FILE] as const) {
    const run = parsed(files, join(folder, source), readState);
    if (run === undefined) continue;
    const steps = hasEnded(run) ? run.steps : withMarkers(run.plan, run.steps, marked, at);
    return ended(source, { ...run, steps, counter: run.counter + SKIPPED_IDS }, at);
  }
  const head = parsed(files, join(folder, RUN_HEAD_FILE), readHead);
  if (head === undefined) return undefined;
  const { id, plan, inputs, files: from } = head;
  const run = {
    ...newRun(id, plan, inputs, at),
    ...(from && { files: from }),
    counter: IDS_OF_MARKERS,
    steps: withMarkers(plan, {}, marked, at),
  };
  return ended('the markers of its stages', run, at);
}

/** A file that cannot be read is a damaged one. */
function parsed<Read>(files: Pick<Files, 'readText'>, path: string, read: (text: string) => Read | undefined): Read | undefined {
  try {
    const text = files.readText(path);
    return text === undefined ? undefined : read(text);
  } catch {
    return undefined;
  }
}

interface Markers {
  readonly complete: ReadonlyMap<string, Step>;
  readonly lists: ReadonlyMap<string, readonly NonNullable<Step['item']>[]>;
}

function readMarkers(files: Pick<Files, 'readText' | 'names'>, folder: string): Markers {
  const names = files.names(folder, MOST_FILES).toSorted();
  const all = <Read>(pattern: RegExp, read: (text: string) => Read | undefined): readonly Read[] =>
    names.filter((name) => pattern.test(name)).flatMap((name) => parsed(files, join(folder, name), read) ?? []);
  return {
    complete: new Map(all(/^stage_.+_complete\.yaml$/, readMarker).map((step) => [step.address, step])),
    lists: new Map(all(/^stage_.+_items\.yaml$/, readList).map(({ forEach, items }) => [forEach, items])),
  };
}

/** The steps of the state, and what the markers know beyond it. */
function withMarkers(plan: Plan, known: Run['steps'], { complete, lists }: Markers, at: Instant): Run['steps'] {
  const steps: Record<string, Step> = { ...known };
  const put = (address: string, otherwise: Step): void => {
    const marker = complete.get(address);
    const step = steps[address] ?? otherwise;
    // A step that began again after its marker was written has tried more often.
    steps[address] = marker !== undefined && !isOver(step) && marker.attempt >= step.attempt ? marker : step;
  };
  for (const stage of plan.stages) {
    const items = (stage.kind === 'for_each' ? lists.get(stage.id) : undefined) ?? [];
    // Its list was read after the state was written.
    if (items.length > 0 && steps[stage.id]?.state.kind === 'waiting') steps[stage.id] = begun(stage.id, at);
    put(stage.id, items.length === 0 ? newStep(stage.id) : begun(stage.id, at));
    if (stage.kind !== 'for_each') continue;
    for (const item of items) {
      const inner = stage.stages.map(({ id }) => inItem(id, item.key));
      const address = inItem(stage.id, item.key);
      const hasBegun = complete.has(address) || inner.some((each) => complete.has(each) || steps[each] !== undefined);
      // An item that begins again waits for its place in the window with the stages that it has: their markers say nothing new.
      const isNews = inner.some((each) => complete.has(each) && (steps[each] === undefined || !isOver(steps[each])));
      if (isNews && steps[address]?.state.kind === 'waiting') steps[address] = { ...begun(address, at), item };
      put(address, hasBegun ? { ...begun(address, at), item } : { ...newStep(address), item });
      // An item that was left out before it began has ended without its stages.
      const isOpen = steps[address] !== undefined && !isOver(steps[address]);
      for (const each of inner) if (hasBegun && (isOpen || complete.has(each))) put(each, newStep(each));
    }
  }
  return steps;
}

function begun(address: string, at: Instant): Step {
  return { ...newStep(address), state: { kind: 'under_way', deadline: null }, startedMs: at };
}

/** A run that was under way has failed, until a person recovers it. */
function ended(source: Rebuilt['source'], before: Run, at: Instant): RebuiltRun {
  if (hasEnded(before)) return { source, before, run: before };
  const message = `the database was lost; the run was rebuilt from ${source}`;
  const error = errorRecord({ id: `${before.id}.rebuilt`, code: 'STATE_INVALID', message, component: 'run', at });
  const steps = Object.values(before.steps).map(
    (step): Step => (isOver(step) ? step : { ...step, state: { kind: 'skipped', why: 'the run ended', cause: 'condition' }, endedMs: at }),
  );
  const run: Run = {
    ...before,
    status: 'failed',
    error,
    level: 'failed',
    steps: Object.fromEntries(steps.map((step) => [step.address, step])),
    clock: { ...before.clock, endedMs: at },
    pause: null,
    dismissMs: at + KEPT_AFTER_FAILURE_MS,
  };
  return { source, before, run };
}
