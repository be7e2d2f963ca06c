import { visibleIn } from '../../../base/visible-text.ts';
import { rewrapped } from '../../../tui/diff/draw/head.ts';
import type { PaneContent } from '../../../tui/model/view.ts';
import { linesFromSgr } from '../../../tui/screen/from-sgr.ts';
import { readRunView } from '../../runs/read-runs.ts';
import { withAgents } from '../../runs/run-agents.ts';
import { showText } from '../../runs/text/show-text.ts';
import type { Shell } from '../../shell.ts';

/** A run as `llmc show` prints it: as wide as the pane, with the ages of the moment, its colours as styles. */
export async function runPane(shell: Shell, run: string): Promise<PaneContent> {
  // Before the text is coloured: a colour of an agent would otherwise look like one of llmc.
  const view = visibleIn(await withAgents(shell, await readRunView(shell, run)));
  return {
    kind: 'text',
    make: ({ columns }, now) =>
      linesFromSgr(showText(view, now, { color: true, columns, atRoot: shell.atRoot }).split('\n')).flatMap((line) =>
        rewrapped(line, columns),
      ),
  };
}
