import { commandLine } from '../../../base/shell-quote.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { ChangeView } from '../../../workflow/control/change-view.ts';
import type { Resumed } from '../../../workflow/control/resume-run.ts';
import { listed } from './pause-text.ts';
import { notYetTaken } from './taken-text.ts';

const ARCHIVE = 'The earlier results are kept in its archive.';

export function resumeText(resumed: Resumed, isPlanned: boolean): string {
  const { run, taken, change } = resumed;
  const lines = goneOnLines(resumed);
  if (isPlanned) return [...lines, ...(change === null ? [] : changeLines(change)), 'Nothing was changed.'].join('\n');
  if (!taken) return notYetTaken(`The resumption of ${run}`);
  return [`${run} goes on: ${commandLine('llmc', 'show', run, '--watch')}`, ...lines].join('\n');
}

/** What begins again in a run that goes on, and what is left out of it. */
export function goneOnLines({ again, skipped, unverified, asks }: Resumed): readonly string[] {
  return [
    ...(again.length === 0 ? [] : [`From the beginning: ${again.join(', ')}, and what follows. ${ARCHIVE}`]),
    ...(skipped.length === 0 ? [] : [`Left out, because it is not complete: ${listed(skipped)}. The results may have gaps.`]),
    ...(unverified.length === 0 ? [] : [`Used without a check, and marked unverified: ${listed(unverified)}.`]),
    ...(asks.length === 0 ? [] : [`Asks you first, because it does not meet its requirement: ${listed(asks)}.`]),
  ];
}

/** What a changed workflow does to a run. */
export function changeLines({ changed, again, added, removed, settings, roles, landed }: ChangeView): readonly string[] {
  const named = (what: string, names: readonly string[]) => (names.length === 0 ? [] : [visibleLine(`    ${what}: ${names.join(', ')}`)]);
  const lines = [
    ...named('changed', changed),
    ...named('begins again', again),
    ...named('new', added),
    ...named('gone', removed),
    ...named('other settings from now on', settings),
    ...named('roles with other settings from now on', roles),
    ...named('stays, because it has landed', landed),
  ];
  if (lines.length === 0) return ['With the changed workflow: nothing begins again.'];
  return ['With the changed workflow:', ...lines, ...(again.length + removed.length === 0 ? [] : [`    ${ARCHIVE}`])];
}
