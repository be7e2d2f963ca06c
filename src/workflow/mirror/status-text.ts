import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isPair, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';

/** Where the items are in a file, and the status of each by its key. */
export interface Statuses {
  /** The fields that lead to the list: `stories`. */
  readonly list: readonly string[];
  readonly key: string;
  readonly of: ReadonlyMap<string, string>;
  /** The keys of items that will be done once more: if the file says that one is done, it is in progress. */
  readonly again?: readonly string[];
}

const FENCE = /^---[ \t]*$/;

/**
 * The text of a status file with the status of its items, and everything else as it is: comments, order, blanks, fields that a person
 * has added. Undefined if there is nothing to change, or if the file cannot be read: a person may be editing it.
 */
export function withStatuses(path: string, text: string, statuses: Statuses): string | undefined {
  if (/\.json$/i.test(path)) return jsonWith(text, statuses);
  if (/\.ya?ml$/i.test(path)) return edited(text, statuses, String);
  const lines = text.split('\n');
  const end = FENCE.test(lines[0]?.replace(/\r$/, '').replace(/^\uFEFF/, '') ?? '')
    ? lines.findIndex((line, index) => index > 0 && FENCE.test(line.replace(/\r$/, '')))
    : -1;
  const head = end === -1 ? undefined : edited(`${lines.slice(1, end).join('\n')}\n`, statuses, String);
  return head === undefined ? undefined : [lines[0], `${head}${lines[end] ?? ''}`, ...lines.slice(end + 1)].join('\n');
}

/** To format a file again writes YAML, so a file of JSON stays as it is. */
function jsonWith(text: string, statuses: Statuses): string | undefined {
  const changed = isJson(text) ? edited(text, statuses, JSON.stringify) : undefined;
  return changed !== undefined && isJson(changed) ? changed : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Changes the places of the statuses only. If that does not lead to what is meant, the file is formatted again as a whole. */
function edited(text: string, statuses: Statuses, word: (text: string) => string): string | undefined {
  const document = parseYamlText(text);
  const items: unknown = document?.getIn(statuses.list);
  if (document === undefined || !isSeq(items)) return undefined;
  // Items are found by their key: a person may have moved, added or removed some. The last one comes first, so that places stay right.
  const changes = items.items.flatMap((item) => {
    const status = isMap(item) ? findStatus(item, statuses) : undefined;
    return !isMap(item) || status === undefined || item.get('status') === status ? [] : [{ item, status }];
  });
  if (changes.length === 0) return undefined;
  const inPlace = changes.toReversed().reduce((now, { item, status }) => withStatus(now, item, word('status'), word(status)), text);
  for (const { item, status } of changes) item.set('status', status);
  if (isDeepStrictEqual(parseYamlText(inPlace)?.toJS(), document.toJS())) return inPlace;
  const written = document.toString({ lineWidth: 0 });
  return text.includes('\r\n') ? written.replace(/\r?\n/g, '\r\n') : written;
}

function findStatus(item: YAMLMap, { key, of, again = [] }: Statuses): string | undefined {
  const name = String(item.get(key));
  return of.get(name) ?? (again.includes(name) && item.get('status') === 'done' ? 'in-progress' : undefined);
}

function parseYamlText(text: string): Document | undefined {
  try {
    const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false });
    return document.errors.length === 0 ? document : undefined;
  } catch {
    return undefined;
  }
}

/** The places of `item` are those in the text before any change, so everything after it may have changed already. */
function withStatus(text: string, item: YAMLMap, name: string, status: string): string {
  const old: unknown = item.get('status', true);
  // A key without a value has none to replace.
  if (isNode(old) && old.range && old.range[1] > old.range[0]) return spliced(text, old.range[0], old.range[1], status);
  const [start, end] = item.range ?? [0, 0];
  if (item.flow === true) {
    const last = text.slice(start, end - 1).trimEnd();
    const comma = item.items.length === 0 || last.endsWith(',') ? '' : ',';
    return spliced(text, start + last.length, start + last.length, `${comma} ${name}: ${status}`);
  }
  const first = item.items.find(isPair)?.key;
  const at = isScalar(first) ? (first.range?.[0] ?? start) : start;
  const indent = at - (text.lastIndexOf('\n', at - 1) + 1);
  const line = start + text.slice(start, end).trimEnd().length;
  const rest = text.indexOf('\n', line);
  const to = rest === -1 ? text.length : text[rest - 1] === '\r' ? rest - 1 : rest;
  return spliced(text, to, to, `${text.includes('\r\n') ? '\r\n' : '\n'}${' '.repeat(indent)}${name}: ${status}`);
}

function spliced(text: string, from: number, to: number, insert: string): string {
  return `${text.slice(0, from)}${insert}${text.slice(to)}`;
}
