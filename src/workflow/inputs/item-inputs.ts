import { basename, extname, join, resolve } from 'node:path';
import { describeError } from '../../base/error.ts';
import { showsNothing } from '../../base/shows-nothing.ts';
import { namesInFolder } from '../../system/files/files.ts';
import { readTextFile } from '../../system/files/text-file.ts';
import { type InputContent, isFields, obstacle, parseContent } from './content.ts';

/** What standard input is called in messages, and on the command line. */
export const STANDARD_INPUT = '-';
/** Of all items together: a run keeps its inputs. */
const LARGEST_ITEMS = 512 * 1024;

/**
 * A list of items: each Markdown file of a folder is one, a YAML or JSON file and standard input have a list of them. An item has `id`,
 * `title` and `text`, whatever its source calls them; its other fields stay.
 */
export async function itemsIn(path: string, folder: string, readInput: () => Promise<string>): Promise<InputContent> {
  if (path === STANDARD_INPUT) return sized(path, listIn(path, await inputContent(readInput)));
  const place = resolve(folder, path);
  const inside = folderAt(path, place);
  if (inside.kind === 'denied') return { value: undefined, problems: [inside.problem] };
  if (inside.kind === 'folder') return sized(path, await itemsInFolder(path, place, inside.names));
  const file = await readTextFile(place, LARGEST_ITEMS);
  return file.kind === 'text'
    ? sized(path, listIn(path, parseContent(path, file.text)))
    : { value: undefined, problems: [obstacle(path, file)] };
}

type Place =
  | { readonly kind: 'folder'; readonly names: readonly string[] }
  | { readonly kind: 'file' }
  | { readonly kind: 'denied'; readonly problem: string };

function folderAt(path: string, place: string): Place {
  try {
    const found = namesInFolder(place);
    if (found === undefined) return { kind: 'file' };
    const names = found.filter((name) => /^[^.].*\.md$/i.test(name));
    return { kind: 'folder', names: names.sort((left, right) => left.localeCompare(right, 'en', { numeric: true })) };
  } catch (error) {
    return { kind: 'denied', problem: `${path} cannot be read: ${describeError(error)}` };
  }
}

async function itemsInFolder(path: string, place: string, names: readonly string[]): Promise<InputContent> {
  if (names.length === 0) return { value: undefined, problems: [`the folder ${path} has no Markdown file (*.md)`] };
  const read: InputContent[] = [];
  // In turn: a folder may have more files than a process may open.
  for (const name of names) {
    const file = await readTextFile(join(place, name), LARGEST_ITEMS);
    const shown = join(path, name);
    read.push(
      file.kind === 'text' ? oneItem(shown, parseContent(shown, file.text)) : { value: undefined, problems: [obstacle(shown, file)] },
    );
  }
  return { value: read.map(({ value }) => value), problems: read.flatMap(({ problems }) => problems) };
}

async function inputContent(readInput: () => Promise<string>): Promise<InputContent> {
  const text = await readInput();
  if (showsNothing(text)) return { value: undefined, problems: ['standard input is empty'] };
  return parseContent('standard input', text, /^\s*[[{]/.test(text) ? '.json' : '.md');
}

/** A list, also as `issues` or `items` of the file, or a single item. */
function listIn(path: string, content: InputContent): InputContent {
  const { value, problems } = content;
  if (problems.length > 0) return content;
  const list = isFields(value) ? first(value, ['issues', 'items']) : value;
  if (!Array.isArray(list)) return oneItem(path, content, true);
  return { value: list.map((each: unknown, index) => normal(each, String(index + 1))), problems: [] };
}

function oneItem(path: string, { value, problems }: InputContent, inList = false): InputContent {
  if (problems.length > 0) return { value: undefined, problems };
  const name = path === STANDARD_INPUT ? '1' : basename(path, extname(path)).replace(/[^A-Za-z0-9._-]+/g, '-');
  const item = normal(value, name);
  return { value: inList ? [item] : item, problems: [] };
}

/** Trackers call the same things by different names; `gh issue list --json` has `number` and `body`. */
function normal(value: unknown, otherwise: string): unknown {
  if (typeof value === 'string') return { id: otherwise, title: titleIn(value) ?? otherwise, text: value.trim() };
  if (!isFields(value)) return value;
  const text = first(value, ['text', 'body', 'description']) ?? '';
  const id = first(value, ['id', 'key', 'number', 'iid']) ?? otherwise;
  return { ...value, id, title: first(value, ['title', 'summary']) ?? (typeof text === 'string' ? titleIn(text) : undefined) ?? id, text };
}

function first(value: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  const name = names.find((each) => Object.hasOwn(value, each) && value[each] !== null && value[each] !== '');
  return name === undefined ? undefined : value[name];
}

/** The first heading, or the first line. */
function titleIn(text: string): string | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const title = lines.find((line) => /^#+ +\S/.test(line))?.replace(/^#+ +/, '') ?? lines.find((line) => line !== '');
  return title?.slice(0, 200);
}

function sized(path: string, content: InputContent): InputContent {
  const size = JSON.stringify(content.value ?? '').length;
  if (size <= LARGEST_ITEMS) return content;
  return { value: undefined, problems: [`${path} has ${size} characters in its items, expected at most ${LARGEST_ITEMS}`] };
}
