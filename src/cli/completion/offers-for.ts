import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BUILT_IN_AGENTS } from '../../config/schema.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { STATUSES } from '../../store/statuses.ts';
import { readText } from '../../system/files/files.ts';
import type { Declaration } from '../declaration.ts';
import { GLOBAL_OPTIONS } from '../global-options.ts';
import type { Shell } from '../shell.ts';
import { listValues } from './list-values.ts';
import { type CompletedOption, type CompletionValues, chooseValues, completedOption, type ValueKind } from './values.ts';

/** The words that can stand at the end of a command line, as the scripts for shells offer them. The line begins behind `llmc`. */
export async function offersFor(
  line: string,
  shell: Pick<Shell, 'root' | 'layout'>,
  verbs: readonly Declaration[],
): Promise<readonly string[]> {
  const typed = line.split(/\s+/);
  const word = typed.at(-1) ?? '';
  const before = typed.slice(0, -1).filter((each, index) => each !== '' && !(index === 0 && each === 'llmc'));
  const offers = await wordsAfter(before, word, shell, verbs);
  return [...new Set(offers)].filter((offer) => offer.startsWith(word) && /^[\w./~@#:=-]+$/.test(offer)).toSorted();
}

async function wordsAfter(
  before: readonly string[],
  word: string,
  shell: Pick<Shell, 'root' | 'layout'>,
  verbs: readonly Declaration[],
): Promise<readonly string[]> {
  const [name, ...rest] = before;
  if (name === undefined) return verbs.flatMap((verb) => [verb.name, ...(verb.alias === undefined ? [] : [verb.alias])]);
  const verb = verbs.find((each) => each.name === name || each.alias === name);
  if (verb === undefined) return [];
  const options = [...verb.options, ...GLOBAL_OPTIONS].map(completedOption);
  const optionOf = (flag: string | undefined): CompletedOption | undefined =>
    options.find(({ names }) => flag !== undefined && names.includes(flag));
  const asked = optionOf(rest.at(-1))?.values;
  if (asked !== undefined) return await valuesFor(asked, word, shell);
  if (word.startsWith('-')) return options.flatMap(({ names }) => names.filter((each) => each.startsWith('--')));
  const given = rest.filter((each, index) => !each.startsWith('-') && optionOf(rest[index - 1])?.values === undefined);
  const spec = verb.arguments[given.length] ?? verb.arguments.findLast(({ syntax }) => syntax.includes('...'));
  return spec === undefined ? [] : await valuesFor(chooseValues(verb, spec), word, shell);
}

async function valuesFor(values: CompletionValues, word: string, shell: Pick<Shell, 'root' | 'layout'>): Promise<readonly string[]> {
  if (values === 'nothing') return [];
  if (typeof values !== 'string') return values;
  return await listNames(values, word, shell);
}

async function listNames(kind: ValueKind, word: string, shell: Pick<Shell, 'root' | 'layout'>): Promise<readonly string[]> {
  const { root, layout } = shell;
  const workers = () => unless(() => Object.keys(readStateLeniently(layout).workers));
  const runs = () => unless(() => readdirSync(layout.runs).filter((name) => name !== 'archive'));
  switch (kind) {
    case 'worker':
      return workers();
    case 'run':
      return runs();
    case 'worker-or-run':
      return [...workers(), ...runs()];
    case 'task':
    case 'workflow':
      return (await listValues(kind, shell)).map(({ name }) => name);
    case 'agent':
      return [
        ...BUILT_IN_AGENTS,
        ...unless(() => [...readText(layout.config).matchAll(/^\[agents\.([\w-]+)\]/gm)].map((match) => match[1] ?? '')),
      ];
    case 'template':
      return unless(() => readdirSync(join(root, 'templates')).map((name) => name.replace(/\.md$/, '')));
    case 'status':
      return STATUSES;
    case 'file':
    case 'folder':
      return paths(word, kind);
    case 'rescue':
      return [];
  }
}

function paths(word: string, kind: 'file' | 'folder'): readonly string[] {
  const folder = word.slice(0, word.lastIndexOf('/') + 1);
  const at = folder === '' ? '.' : folder.replace(/^~(?=\/)/, homedir());
  const isHidden = word.slice(folder.length).startsWith('.');
  return unless(() =>
    readdirSync(at, { withFileTypes: true })
      .filter((entry) => (kind === 'file' || entry.isDirectory()) && (isHidden || !entry.name.startsWith('.')))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`),
  );
}

/** A Tab must not print errors. */
function unless(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
