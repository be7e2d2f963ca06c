import { cutToWidth } from '../../base/text-width.ts';
import { inOneLine, visibleLine } from '../../base/visible-text.ts';
import type { Shell } from '../shell.ts';

export const LISTED = ['task', 'workflow'] as const;
type Listed = (typeof LISTED)[number];

export interface OfferedValue {
  readonly name: string;
  readonly about: string;
}

const LONGEST_ABOUT = 50;

/** What a completion script cannot read itself. Nothing where the root cannot be read: a Tab must not print errors. */
export async function listValues(kind: Listed, shell: Pick<Shell, 'root' | 'layout'>): Promise<readonly OfferedValue[]> {
  const offers = await (kind === 'task' ? tasks(shell) : workflows(shell)).catch((): readonly OfferedValue[] => []);
  return offers.filter(({ name }) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name));
}

/** Agents can queue tasks too: their text is shown beside the number, without control characters and tabs. */
async function tasks({ layout }: Pick<Shell, 'layout'>): Promise<readonly OfferedValue[]> {
  const { openReadOnlyAnywhere, prepared } = await import('../../store/database.ts');
  const database = openReadOnlyAnywhere(layout.database);
  try {
    const rows = prepared(database, "SELECT number, prompt FROM queue WHERE state = 'waiting' ORDER BY priority DESC, place, number").all();
    return rows.map(({ number, prompt }) => ({ name: String(number), about: described(String(prompt)) }));
  } finally {
    database.close();
  }
}

async function workflows({ root }: Pick<Shell, 'root'>): Promise<readonly OfferedValue[]> {
  const { openLibrary } = await import('../../workflow/library/library.ts');
  const { openGit } = await import('../../git/run.ts');
  const { systemProcesses } = await import('../../system/processes/processes.ts');
  const { workflows: files } = await openLibrary(root, openGit(systemProcesses));
  const offers = files.map(({ name, reading }) => ({ name, about: described(reading.kind === 'valid' ? reading.plan.description : '') }));
  return offers.filter(({ name }, index) => offers.findIndex((other) => other.name === name) === index);
}

function described(text: string): string {
  return cutToWidth(visibleLine(inOneLine(text)).replaceAll('\t', ' '), LONGEST_ABOUT);
}
