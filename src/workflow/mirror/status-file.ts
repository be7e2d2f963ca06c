import type { Files } from '../../base/ports.ts';
import type { ForEachStage } from '../definition/plan.ts';
import { valueAt } from '../definition/values.ts';
import { splitAddress } from '../model/address.ts';
import type { Run, Step } from '../model/run.ts';
import { listItems } from '../model/stage-at.ts';
import { isDoneBefore, readItems } from '../next/items/read-items.ts';
import type { RunStore } from '../store/ports.ts';
import { withStatuses } from './status-text.ts';

type StatusFiles = Pick<Files, 'readForeign' | 'replace'>;

const LARGEST_BYTES = 1024 * 1024;

/**
 * Writes the status of each item back to the file that its list came from. The database is what counts: a file that is gone, that a
 * person is editing or that cannot be written stops nothing, and the next change of an item writes all of them again.
 */
export function statusRuns<Store extends Pick<RunStore, 'commit'>>(runs: Store, files: StatusFiles): Store {
  return {
    ...runs,
    async commit(commit) {
      const committed = await runs.commit(commit);
      const { run, changedSteps } = commit.decision;
      if (committed)
        for (const stage of run.plan.stages) {
          const changed = stage.kind === 'for_each' ? changedSteps.filter((address) => isItemOf(stage, address)) : [];
          const gone = changed.filter((address) => run.steps[address] === undefined).map((address) => splitAddress(address).key);
          if (stage.kind === 'for_each' && changed.length > 0) writeStatuses(files, run, stage, new Set(gone));
        }
      return committed;
    },
  };
}

function isItemOf({ id }: ForEachStage, address: string): boolean {
  const { stage, key } = splitAddress(address);
  return stage === id && key !== null;
}

function writeStatuses(files: StatusFiles, run: Run, stage: ForEachStage, gone: ReadonlySet<string | null>): void {
  const { id, of, key, statusFile } = stage;
  const input = statusFile?.split('.')[1] ?? '';
  const path = Object.hasOwn(run.files ?? {}, input) ? run.files?.[input] : undefined;
  if (path === undefined || key === undefined || statusFile === undefined || !of.startsWith(`${statusFile}.`)) return;
  try {
    const text = files.readForeign(path, LARGEST_BYTES);
    const items = listItems(run, id).flatMap((address) => run.steps[address] ?? []);
    const statuses = new Map(
      items.flatMap((step) => (step.item === null ? [] : listStatuses(step).map((status) => [step.item?.key ?? '', status] as const))),
    );
    const list = of.slice(statusFile.length + 1).split('.');
    const changed =
      text === undefined ? undefined : withStatuses(path, text, { list, key, of: statuses, again: beginAgain(run, stage, gone) });
    if (changed !== undefined) files.replace(path, changed, { keepMode: true });
  } catch {
    // The folder may be read-only.
  }
}

/** Items that a rollback took away are done once more, but not those that were done before the run. */
function beginAgain({ inputs }: Run, stage: ForEachStage, gone: ReadonlySet<string | null>): readonly string[] {
  if (gone.size === 0) return [];
  const read = readItems(stage, valueAt({ inputs }, stage.of));
  return read.kind === 'wrong' ? [] : read.items.filter((item) => gone.has(item.key) && !isDoneBefore(stage, item)).map(({ key }) => key);
}

/** An item that has not begun keeps what a person wrote; one that begins again is not done. One that was left out can be taken up later. */
function listStatuses({ state, startedMs }: Step): readonly string[] {
  switch (state.kind) {
    case 'waiting':
      return startedMs === null ? [] : ['in-progress'];
    case 'done':
      return ['done'];
    case 'failed':
      return ['failed'];
    case 'skipped':
      return ['deferred'];
    default:
      return ['in-progress'];
  }
}
