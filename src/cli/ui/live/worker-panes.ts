import { openReadOnly } from '../../../store/database.ts';
import { findWorker } from '../../../store/find-worker.ts';
import { readStateLeniently } from '../../../store/read-state-leniently.ts';
import { type HistoryEntry, recentHistory } from '../../../store/tables/history.ts';
import { conversation, type Said } from '../../../supervisor/report/conversation.ts';
import type { WhyShown } from '../../../tui/panes/draw-why.ts';
import { readWhy } from '../../owner/read-why.ts';
import type { Shell } from '../../shell.ts';
import { whyInShort, whyText } from '../../text/why-text.ts';

const MOST_SAID = 50;
const MOST_ENTRIES = 200;

/** The last turns of a worker's conversation, the oldest first; also without a supervisor. */
export async function readTurns({ layout }: Pick<Shell, 'layout'>, worker: string, most = MOST_SAID): Promise<readonly Said[]> {
  const record = findWorker(readStateLeniently(layout), worker);
  using database = openReadOnly(layout.database);
  return conversation(record, database, most);
}

/** The answer of `llmc why`, and its evidence, with the ages of any later moment; also without a supervisor. */
export async function readWhyShown(shell: Shell, worker: string): Promise<(now: number) => WhyShown> {
  const report = await readWhy(shell, worker, { say: () => undefined });
  const display = { color: false, columns: Number.POSITIVE_INFINITY, atRoot: shell.atRoot };
  return (now) => ({ inShort: whyInShort(report, now).map(shell.atRoot), evidence: whyText(report, now, true, display).split('\n') });
}

/** What happened to a worker, the oldest first; also without a supervisor. */
export async function readHistory(
  { layout }: Pick<Shell, 'layout'>,
  worker: string,
  most = MOST_ENTRIES,
): Promise<readonly HistoryEntry[]> {
  const { name } = findWorker(readStateLeniently(layout), worker);
  using database = openReadOnly(layout.database);
  return recentHistory(database, name, most).toReversed();
}
