import { cutToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Reviewed } from '../../git/landing/remarks.ts';
import type { Store } from '../../store/store.ts';
import { remarksTo } from '../../store/tables/rejections.ts';

/** The width of a subject that git and its viewers show whole. */
const SUBJECT_WIDTH = 72;

/** What a person said about the work of a worker in rejections, and the first line of its task. */
export function reviewedBefore({ database, state }: Pick<Store, 'database' | 'state'>, worker: string): Reviewed {
  const task = state.workers[worker]?.current_prompt?.trim().split('\n', 1)[0];
  return { remarks: remarksTo(database, worker), subject: task ? cutToWidth(visibleLine(task), SUBJECT_WIDTH) : null };
}
