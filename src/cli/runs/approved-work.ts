import { join } from 'node:path';
import { describeError } from '../../base/error.ts';
import { loadConfigInForce } from '../../config/in-force.ts';
import { guardedGit } from '../../doctor/guarded-git.ts';
import { readChange, wholeDiff } from '../../git/diff.ts';
import { mergeBase } from '../../git/inspect.ts';
import { trackingRef } from '../../git/refs.ts';
import type { Layout } from '../../store/layout.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { branchOfCommit } from '../../workers/branch/run-base.ts';
import { mainBranch } from '../../workers/landing/main-branch.ts';
import { Artifacts } from '../../workflow/perform/artifacts.ts';
import type { QuestionView } from '../../workflow/view/run-view.ts';
import type { Shell } from '../shell.ts';
import { diffForPeople } from '../text/diff-text.ts';
import { openRuns } from './open-runs.ts';

/** What a person is asked to approve. The names are part of the contract of `--json`. */
export interface ApprovedWork {
  readonly stat: string;
  /** Of the commit since it left the branch that it will land on; empty without one. */
  readonly diff: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Why something of it cannot be shown. */
  readonly problems: readonly string[];
}

export interface ShownQuestion extends QuestionView {
  /** Null unless it asks for an approval of a result. */
  readonly work: ApprovedWork | null;
}

/** Adds to each question what it asks to approve: from the store and the folder of the run, where no agent writes. */
export async function withApprovedWork(
  shell: Pick<Shell, 'layout'>,
  questions: readonly QuestionView[],
): Promise<readonly ShownQuestion[]> {
  return await Promise.all(questions.map(async (question) => ({ ...question, work: await readApprovedWork(shell, question) })));
}

async function readApprovedWork({ layout }: Pick<Shell, 'layout'>, { run, approves }: QuestionView): Promise<ApprovedWork | null> {
  if (approves === null) return null;
  const problems: string[] = [];
  const artifacts = new Artifacts(systemFiles, (id) => join(layout.runs, id));
  const files = approves.files.flatMap(({ name, path, sha256 }) => {
    try {
      return [{ name, text: artifacts.read(run, approves.stage, name, { path, sha256, value: null }) }];
    } catch (error) {
      problems.push(describeError(error));
      return [];
    }
  });
  const change =
    approves.commit === null
      ? undefined
      : await readCommitChange(layout, run, approves.commit).catch((error: unknown) => {
          problems.push(describeError(error));
        });
  return { stat: change?.stat ?? '', diff: change === undefined ? '' : wholeDiff(change), files, problems };
}

async function readCommitChange(layout: Layout, run: string, commit: string) {
  const { root } = layout;
  using opened = openRuns(layout);
  const config = async () => (await loadConfigInForce(root)).config;
  const git = guardedGit({ root, processes: systemProcesses, config });
  const branch = trackingRef(
    // What reads only, such as a command in a sandbox, cannot fetch the branch.
    await branchOfCommit({ git, layout, store: opened }, await config(), commit, run).catch(
      async () => await mainBranch({ git }, await config()),
    ),
  );
  return await readChange(git, root, (await mergeBase(git, root, branch, commit)) ?? commit, commit);
}

/** The same as a review shows it: the size, the diff, then the files. */
export function workLines({ work }: ShownQuestion, color: boolean): readonly string[] {
  if (work === null) return [];
  const { stat, diff, files, problems } = work;
  return [
    ...problems.map((problem) => `! ${problem}`),
    ...(diff === '' ? [] : [...stat.trimEnd().split('\n'), '', ...diffForPeople(diff, color).trimEnd().split('\n')]),
    ...files.flatMap(({ name, text }) => [
      '',
      `${name}:`,
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`),
    ]),
  ];
}
