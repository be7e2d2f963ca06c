import { visibleLine } from '../../../base/visible-text.ts';
import { nearest } from '../../../config/nearest.ts';
import { quote } from '../../../config/problems/problem.ts';
import type { ForEachStage } from '../../definition/plan.ts';
import type { Item } from '../../model/item.ts';

export type ItemList =
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  /** In words for a person, and for the agent that made the list. */
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

/** Each item has its own agents and files; a list that is longer is a mistake of the agent that made it. */
const MOST_ITEMS = 1_000;
const MOST_PROBLEMS = 10;

/** A key is a part of addresses, of names of files and of git refs, which end neither with a dot nor with `.lock`. */
const KEY = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
const KEY_WORDS = 'up to 64 of a-z, 0-9, ".", "_" and "-", with a letter or a digit at both ends';

/** The items of a list that an input or an agent gave. Pure, and wary: an agent can write any list. */
export function readItems({ of, key, after }: Pick<ForEachStage, 'of' | 'key' | 'after'>, list: unknown): ItemList {
  if (!Array.isArray(list)) return wrong([`${of} is not a list`]);
  if (list.length > MOST_ITEMS) return wrong([`${of} has ${list.length} items, expected at most ${MOST_ITEMS}`]);
  const values: readonly unknown[] = list;
  const keys = values.map((value, index) => (key === undefined ? String(index + 1) : readKey(value, key)));
  const unusable = keys.flatMap((each, index) => (isKey(each) ? [] : [keyProblem(key ?? '', values[index], index)]));
  const usable = keys.map((each) => (isKey(each) ? each : ''));
  const items = values.map(
    (value, index): Item => ({ key: usable[index] ?? '', value, after: after === undefined ? [] : readAfter(value, after) }),
  );
  const problems = [...unusable, ...doubles(usable), ...afterProblems(items, after, values)];
  if (problems.length > 0) return wrong(problems);
  const circle = circleIn(items);
  return circle === undefined ? { kind: 'items', items } : wrong([`these items wait for each other: ${circle.join(', ')}`]);
}

/** The status file says what is done: an earlier run wrote it there, or a person. What an agent says in a list of its own does not count. */
export function isDoneBefore({ of, statusFile }: Pick<ForEachStage, 'of' | 'statusFile'>, { value }: Item): boolean {
  return (
    statusFile !== undefined &&
    of.startsWith('inputs.') &&
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    value.status === 'done'
  );
}

function wrong(problems: readonly string[]): ItemList {
  const more = problems.length - MOST_PROBLEMS;
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => visibleLine(problem));
  return { kind: 'wrong', problems: more > 0 ? [...shown, `and ${more} more problems`] : shown };
}

function isKey(key: string | undefined): key is string {
  return key !== undefined && KEY.test(key) && !key.includes('..') && !key.endsWith('.lock');
}

/** A number is a key too: agents number sections without quotes. */
function readKey(value: unknown, field: string): string | undefined {
  const found = readField(value, field);
  if (typeof found === 'string') return found;
  return Number.isSafeInteger(found) ? String(found) : undefined;
}

/** Own fields only: the file of an agent must not reach a prototype. */
export function readField(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
}

function keyProblem(key: string, value: unknown, index: number): string {
  const found = readField(value, key);
  if (found === undefined || found === null) return `item ${index + 1} has no ${quote(key)}`;
  const words = typeof found === 'string' ? quote(found) : 'something that is not a text';
  return `item ${index + 1}: ${key} is ${words}, expected ${KEY_WORDS}`;
}

/** Upper and lower case do not tell files and refs apart on every disk. */
function doubles(keys: readonly string[]): readonly string[] {
  const first = new Map<string, number>();
  return keys.flatMap((key, index) => {
    const before = first.get(key.toLowerCase());
    if (key === '' || before === undefined) {
      first.set(key.toLowerCase(), index);
      return [];
    }
    const differs = keys[before] === key ? '' : ', apart from upper and lower case';
    return [`items ${before + 1} and ${index + 1} have the same key ${quote(key)}${differs}`];
  });
}

function readAfter(value: unknown, field: string): readonly string[] {
  const found = readField(value, field);
  const list: readonly unknown[] = Array.isArray(found) ? found : found === undefined || found === null ? [] : [found];
  return [...new Set(list.filter((each) => typeof each === 'string' || Number.isSafeInteger(each)).map(String))];
}

function afterProblems(items: readonly Item[], field: string | undefined, values: readonly unknown[]): readonly string[] {
  if (field === undefined) return [];
  const known = items.map(({ key }) => key);
  const all = new Set(known);
  return items.flatMap(({ key, after }, index) => {
    const name = key === '' ? `item ${index + 1}` : key;
    const given = readField(values[index], field);
    const isOdd = (Array.isArray(given) ? given : [given ?? '']).some((each) => typeof each !== 'string' && !Number.isSafeInteger(each));
    const unknown = after.filter((other) => !all.has(other) || other === '');
    return [
      ...(isOdd ? [`${name}: ${field} is not a list of keys`] : []),
      ...unknown.map((other) => {
        const close = nearest(other, known);
        return `${name} waits for ${quote(other)}, which is not in the list${close === undefined ? '' : `; did you mean ${quote(close)}?`}`;
      }),
    ];
  });
}

/** Items that wait for each other, the first also at the end; undefined if there are none. */
function circleIn(items: readonly Item[]): readonly string[] | undefined {
  const after = new Map(items.map((item) => [item.key, item.after]));
  const sound = new Set<string>();
  for (const { key } of items) {
    // With a stack of its own: a chain of a thousand items would be a thousand calls deep.
    const way: { readonly key: string; readonly rest: string[] }[] = [{ key, rest: [...(after.get(key) ?? [])] }];
    while (way.length > 0) {
      const last = way.at(-1);
      const other = last?.rest.pop();
      if (last === undefined) break;
      if (other === undefined) {
        sound.add(last.key);
        way.pop();
      } else if (way.some((each) => each.key === other)) {
        const keys = way.map((each) => each.key);
        return [...keys.slice(keys.indexOf(other)), other];
      } else if (!sound.has(other)) way.push({ key: other, rest: [...(after.get(other) ?? [])] });
    }
  }
  return undefined;
}
