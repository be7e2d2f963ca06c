import { dirname, join } from 'node:path';
import type { WorkContext } from '../../workers/context.ts';
import { TASK_FOLDER } from '../../workers/prompt/prompts.ts';

const LINE = `/${TASK_FOLDER}/`;
const LARGEST = 1024 * 1024;

/** Makes git ignore the folder of a run's tasks in every worktree of the root. */
export function ignoreTaskFolder({ layout, files }: Pick<WorkContext, 'layout' | 'files'>): void {
  const path = join(layout.root, '.git', 'info', 'exclude');
  const text = files.readForeign(path, LARGEST) ?? '';
  if (text.split('\n').includes(LINE)) return;
  files.makeFolder(dirname(path));
  files.replace(path, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${LINE}\n`);
}
