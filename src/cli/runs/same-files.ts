import { commandLine } from '../../base/shell-quote.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { RunStore } from '../../workflow/store/ports.ts';
import { readIfSound } from '../../workflow/store/read-if-sound.ts';
import type { Shell } from '../shell.ts';
import { openRuns } from './open-runs.ts';

interface SameFile {
  readonly run: string;
  /** The input that names it, and its path. */
  readonly input: string;
  readonly path: string;
}

/** The runs that have not ended and write the status of their items to one of these files. */
async function runsOnSameFiles(
  runs: Pick<RunStore, 'list' | 'load'>,
  files: Readonly<Record<string, string>>,
): Promise<readonly SameFile[]> {
  const inputs = new Map(Object.entries(files).map(([input, path]) => [path, input]));
  if (inputs.size === 0) return [];
  const living = (await runs.list()).filter(({ endedMs }) => endedMs === null);
  const found = await Promise.all(
    living.map(async ({ id }) => {
      const run = await readIfSound(runs, id);
      const paths = run === undefined || run === 'unreadable' ? [] : Object.values(run.files ?? {});
      return paths.flatMap((path) => {
        const input = inputs.get(path);
        return input === undefined ? [] : [{ run: id, input, path }];
      });
    }),
  );
  return found.flat();
}

/** Warns before a second run works through the same file, and asks on a terminal: both would do every item. */
export async function confirmSameFiles(
  shell: Pick<Shell, 'layout' | 'say' | 'confirm'>,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  using opened = openRuns(shell.layout);
  const same = await runsOnSameFiles(opened.runs, files);
  const [first] = same;
  if (first === undefined) return;
  for (const { run, input, path } of same)
    shell.say(
      visibleLine(
        `! ${run} works through the same file, ${path} (${input}). Both runs would do its items, and overwrite each other's status in it.`,
      ),
    );
  await shell.confirm('Start another run on it?', {
    message: 'nothing was started',
    hint: `${commandLine('llmc', 'show', first.run)}; a paused run goes on with: ${commandLine('llmc', 'resume', first.run)}`,
  });
}
