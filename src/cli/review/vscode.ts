import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openObjectView } from '../../git/object-view.ts';
import { parseBlobs } from '../../git/rebase/read-blobs.ts';
import { gitCommand } from '../../git/run.ts';
import { makeBeside, makeDirectory, removeTree, writePrivate } from '../../system/files/files.ts';
import { runInteractive } from '../../system/processes/interactive.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import type { Shell } from '../shell.ts';

/** More tabs than this are not read one by one. */
const MOST_TABS = 20;

/**
 * Opens each changed file beside its old version in a new window, then the whole diff, and waits until the tab with the whole diff
 * is closed. The files are copies outside of the worktree: VS Code opens no folder, so settings and tasks of the agent have no effect.
 */
export async function openInVsCode(result: ReviewResult, shell: Shell): Promise<void> {
  const folder = makeBeside(join(tmpdir(), 'llmc-review'));
  try {
    const tabs = await writeVersions(result, shell.root, folder);
    const whole = join(folder, `${result.worker}.diff`);
    writePrivate(whole, result.diff);
    const left = result.files.length - tabs.length;
    if (left > 0) shell.say(`${left} of ${result.files.length} files have no tab of their own: they are in ${result.worker}.diff`);
    shell.say(`Close the tab ${result.worker}.diff in VS Code to go on.`);
    for (const [nth, { before, after }] of tabs.entries())
      await runInteractive({ file: 'code', args: [nth === 0 ? '--new-window' : '--reuse-window', '--diff', before, after] });
    await runInteractive({ file: 'code', args: [tabs.length === 0 ? '--new-window' : '--reuse-window', '--wait', whole] });
  } finally {
    removeTree(folder);
  }
}

interface Versions {
  readonly before: string;
  readonly after: string;
}

/** Writes both versions of the first changed text files. */
async function writeVersions({ files, base }: ReviewResult, root: string, folder: string): Promise<readonly Versions[]> {
  const shown = files.filter(({ binary, before, after }) => !binary && (before ?? after) !== null).slice(0, MOST_TABS);
  const ids = new Set(shown.flatMap(({ before, after }) => [before, after]).filter((id) => id !== null));
  if (ids.size === 0) return [];
  await using view = await openObjectView(root, base);
  const call = { ...view.call('cat-file', '--batch', '--buffer'), stdin: [...ids].map((id) => `${id}\n`).join('') };
  const { stdout } = await systemProcesses.run(gitCommand(call), { encoding: 'latin1' });
  const contents = new Map(parseBlobs(stdout));
  return shown.map(({ path, before, after }, nth) => {
    const write = (side: 'before' | 'after', id: string | null) => {
      const at = join(folder, String(nth + 1), side);
      makeDirectory(at);
      const file = join(at, nameCopy(path));
      writePrivate(file, Buffer.from((id === null ? undefined : contents.get(id)) ?? '', 'latin1').toString('utf8'));
      return file;
    };
    return { before: write('before', before), after: write('after', after) };
  });
}

/** An agent chose the path. Its last part shows as the title of the tab, and its ending decides on the colours. */
function nameCopy(path: string): string {
  return (
    basename(path)
      .replace(/[^\w.-]/g, '_')
      .replace(/^[.-]+/, '_') || '_'
  );
}
