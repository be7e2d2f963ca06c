import { pastTime } from '../../base/clock-time.ts';
import { wrapWithIndent } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { systemClock } from '../../system/clock.ts';
import type { HistoryLine } from '../../workflow/store/ports.ts';
import type { RunView } from '../../workflow/view/run-view.ts';
import type { Shell } from '../shell.ts';
import { terminalSize } from '../terminal-size.ts';
import { isWatched } from './is-watched.ts';
import { openRuns } from './open-runs.ts';
import { readRunView } from './read-runs.ts';
import { STANDS_STILL } from './text/taken-text.ts';

const EVERY_MS = 500;
/** How many polls lie between two looks at the supervisor. */
const SUPERVISOR_EVERY = 20;

export interface FollowOptions {
  readonly until: (run: RunView) => boolean | Promise<boolean>;
  /** Whether each line of the history is printed as progress. */
  readonly tell: boolean;
  /** The line of the history after which the telling begins; from its beginning without one. */
  readonly after?: number;
  readonly deadline?: number;
}

/** Follows a run until something holds for it. Returns what it is then, or at the deadline, or at Ctrl+C. */
export async function followRun(
  shell: Shell,
  id: string,
  { until, tell, after = 0, deadline }: FollowOptions,
  signal: AbortSignal,
): Promise<RunView> {
  let seen = after;
  for (let polls = 0, warned = false; ; polls += 1) {
    const view = await readRunView(shell, id);
    for (const line of tell ? await newLines(shell, id, seen) : []) {
      for (const each of progressLines(
        line,
        process.stderr.isTTY === true ? terminalSize(process.stderr).columns : Number.POSITIVE_INFINITY,
      ))
        shell.say(each);
      seen = line.seq;
    }
    if ((await until(view)) || signal.aborted || (deadline !== undefined && systemClock.now() >= deadline)) return view;
    if (!warned && polls % SUPERVISOR_EVERY === SUPERVISOR_EVERY - 1 && !(await isWatched(shell))) {
      warned = true;
      shell.say(STANDS_STILL);
    }
    await systemClock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}

async function newLines({ layout }: Shell, id: string, after: number): Promise<readonly HistoryLine[]> {
  using opened = openRuns(layout);
  return await opened.records.history(id, after);
}

function progressLines({ at, step, text }: HistoryLine, columns: number): readonly string[] {
  return wrapWithIndent(visibleLine(`${pastTime(at, at)} ${step === null ? '' : `${step}: `}${text}`), columns, 6);
}
