import { join } from 'node:path';
import { commandLine } from '../../../base/shell-quote.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { Layout } from '../../../store/layout.ts';
import { namesInFolder } from '../../../system/files/files.ts';
import type { RunView } from '../../../workflow/view/run-view.ts';
import type { StageView } from '../../../workflow/view/stage-view.ts';

/** The files of a run. The names are part of the contract of `--json`. */
export interface RunFiles {
  /** Results of stages that are complete. */
  readonly complete: readonly StageFile[];
  /** What agents had left of unfinished work. */
  readonly partial: readonly StageFile[];
  /** Commits of stages that are complete, in the clone of the root. */
  readonly commits: readonly { readonly stage: string; readonly commit: string }[];
}

interface StageFile {
  readonly stage: string;
  readonly path: string;
}

export function readRunFiles({ root }: Pick<Layout, 'root'>, { id, stages, pause }: Pick<RunView, 'id' | 'stages' | 'pause'>): RunFiles {
  const folder = join(root, 'runs', id);
  const all = stages.flatMap((stage) => [stage, ...(stage.items ?? []).flatMap((item) => item.stages)]);
  const files = pause?.files ?? null;
  return {
    complete: all.flatMap(({ id: stage, artifacts }) => artifacts.map((path) => ({ stage, path: join(folder, path) }))),
    commits: all.flatMap(({ id: stage, commit }) => (commit === null ? [] : [{ stage, commit }])),
    partial:
      files === null ? [] : all.filter(({ id: stage }) => pause?.partial.includes(stage)).flatMap((stage) => unfinished(files, stage)),
  };
}

/** The folder of each try is named after the stage and the number of the try; the last one counts. */
function unfinished(folder: string, { id: stage, attempt }: Pick<StageView, 'id' | 'attempt'>): readonly StageFile[] {
  for (let each = attempt; each > 0; each -= 1) {
    const own = join(folder, `${stage}-${each}`);
    const names = namesInFolder(own) ?? [];
    if (names.length > 0) return names.toSorted().map((name) => ({ stage, path: join(own, name) }));
  }
  return [];
}

export function runFilesText({ complete, partial, commits }: RunFiles, root: string): string {
  const lines = (files: readonly StageFile[]) =>
    files.length === 0 ? ['    none'] : files.map(({ stage, path }) => visibleLine(`    ${stage}: ${path}`));
  const shown = commits.map(({ stage, commit }) => `    ${stage}: ${commandLine('git', '-C', root, 'show', commit.slice(0, 12))}`);
  return ['complete:', ...(shown.length === 0 || complete.length > 0 ? lines(complete) : []), ...shown, 'partial:', ...lines(partial)].join(
    '\n',
  );
}
