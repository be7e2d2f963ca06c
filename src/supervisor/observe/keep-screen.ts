import { visibleText } from '../../base/visible-text.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from './watch.ts';

/** Saves the last capture of the agent's screen as a file for a person. Each worker has one such file. */
export function keepScreen({ files, layout }: Pick<WorkContext, 'files' | 'layout'>, { name, screen: { capture } }: Watch): void {
  if (capture === undefined) return;
  const taken = new Date(capture.at).toISOString();
  files.writePrivate(
    layout.screen(name),
    `${[`${taken}, ${capture.reading.rule}`, '', ...capture.screen.lines].map(visibleText).join('\n')}\n`,
  );
}
