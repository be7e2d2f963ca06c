import type { Database } from '../../store/database.ts';
import { openReadOnly } from '../../store/database.ts';
import { recentDeliveries } from '../../store/tables/deliveries.ts';
import { recentEvents } from '../../store/tables/events.ts';
import { recentHistory } from '../../store/tables/history.ts';
import { namesIn } from '../../system/files/files.ts';
import { readWhy } from '../owner/read-why.ts';
import type { Shell } from '../shell.ts';
import { whyJson } from '../text/why-json.ts';
import type { GitFacts } from './git-facts.ts';
import { type Part, valuePart } from './part.ts';
import { readLogFile } from './read-log-file.ts';

const HISTORY = 300;
const DELIVERIES = 20;
const EVENTS = 50;
const STEPS = ['setup', 'format', 'validate', 'resolve', 'after_accept'] as const;
const SCREEN = /\.screen-(\d{8}T\d{6}(?:\.\d{3})?Z)\.txt$/;

/** Everything about one worker. The names of the parts are llmc's own, whatever an agent calls its files. */
export function workerParts(shell: Shell, worker: string, git: GitFacts, say: Shell['say']): readonly Part[] {
  const { layout, root } = shell;
  const at = (name: string) => `workers/${worker}/${name}`;
  const rows = (name: string, read: (database: Database) => unknown) => valuePart(at(name), () => fromDatabase(layout.database, read));
  const file = (name: string, from: string, kind: 'text' | 'json_lines'): Part => ({
    name: at(name),
    read: () => readLogFile(root, from, kind),
  });
  return [
    valuePart(at('why.json'), async () => whyJson(await readWhy(shell, worker, { say }))),
    rows('history.json', (database) => recentHistory(database, worker, HISTORY)),
    rows('deliveries.json', (database) => recentDeliveries(database, worker, DELIVERIES)),
    rows('events.json', (database) => recentEvents(database, worker, EVENTS)),
    valuePart(at('git.json'), () => git.ofWorktree(layout.worktree(worker))),
    file('log.jsonl', `${worker}.log`, 'json_lines'),
    ...STEPS.map((step) => file(`output-${step}.txt`, `${worker}.${step}.txt`, 'text')),
    ...listScreens(layout.logs, worker).map(({ name, when }) => file(`screens/${when}.txt`, name, 'text')),
  ];
}

function listScreens(logs: string, worker: string): readonly { readonly name: string; readonly when: string }[] {
  return namesIn(logs).flatMap((name) => {
    const when = name.startsWith(`${worker}.screen-`) ? SCREEN.exec(name)?.[1] : undefined;
    return when === undefined || name !== `${worker}.screen-${when}.txt` ? [] : [{ name, when }];
  });
}

function fromDatabase(path: string, read: (database: Database) => unknown): unknown {
  using database = openReadOnly(path);
  return read(database);
}
