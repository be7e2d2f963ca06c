import type { Layout } from '../../store/layout.ts';
import { treeFiles } from '../../system/files/tree-files.ts';
import { OUT_FOLDER, PROGRESS_FILE } from '../../workflow/next/values.ts';
import type { RunView } from '../../workflow/view/run-view.ts';
import type { StageView } from '../../workflow/view/stage-view.ts';

const LARGEST_FILE = 4_096;

/** Adds what the agents at work say about how far they are. It is read now, from their worktrees: nobody watches these files. */
export async function withProgress(layout: Pick<Layout, 'worktree'>, stages: readonly StageView[]): Promise<readonly StageView[]> {
  return await Promise.all(stages.map(async (stage) => await withItems(layout, stage)));
}

/** Adds to the questions about agents that failed how far the last one says it was. */
export async function withLastProgress(
  layout: Pick<Layout, 'worktree'>,
  { questions, stages }: Pick<RunView, 'questions' | 'stages'>,
): Promise<RunView['questions']> {
  const all = stages.flatMap((stage) => [stage, ...(stage.items ?? []).flatMap((item) => item.stages)]);
  return await Promise.all(
    questions.map(async (question) => {
      const stage = question.attempts.length === 0 ? undefined : all.find(({ id }) => id === question.stage);
      return stage === undefined ? question : { ...question, progress: (await withOwn(layout, stage)).progress };
    }),
  );
}

/** `cooling`: also an agent that was stopped has said how far it was. */
const BEGUN: readonly StageView['state'][] = ['working', 'asking', 'cooling'];

async function withItems(layout: Pick<Layout, 'worktree'>, stage: StageView): Promise<StageView> {
  const own = BEGUN.includes(stage.state) ? await withOwn(layout, stage) : stage;
  if (own.items === null) return own;
  const items = own.items.map(async (item) => ({ ...item, stages: await withProgress(layout, item.stages) }));
  return { ...own, items: await Promise.all(items) };
}

async function withOwn(layout: Pick<Layout, 'worktree'>, stage: StageView): Promise<StageView> {
  if (stage.worker === null) return stage;
  const path = `${OUT_FOLDER}/${PROGRESS_FILE}`;
  // An agent as a user of its own may have left a file that llmc cannot read.
  const text = await treeFiles.readBeneath(layout.worktree(stage.worker), path, LARGEST_FILE).catch(() => undefined);
  if (text === undefined) return stage;
  // YAML takes longer to load than everything else here.
  const { readProgress } = await import('../../workflow/perform/left/progress.ts');
  return { ...stage, progress: readProgress(text) };
}
