import { basename, extname } from 'node:path';
import type { ItemStage } from '../../definition/plan.ts';
import { inItem } from '../../model/address.ts';
import type { Run, Step } from '../../model/run.ts';
import { readField } from './read-items.ts';

/**
 * The values at a path such as `reviews[].doi` that two or more of the items name. Upper and lower case and spaces around a value do not
 * count: agents copy the same identifier in different ways.
 */
export function sharedValues(
  { steps }: Pick<Run, 'steps'>,
  items: readonly Step[],
  stages: readonly ItemStage[],
  path: string,
): readonly string[] {
  const named = new Map<string, number>();
  for (const { item } of items) {
    const results = stages.flatMap(({ id }) => (item === null ? [] : (steps[inItem(id, item.key)]?.result ?? [])));
    const files = results.flatMap(({ artifacts }) => Object.entries(artifacts));
    const values = files.flatMap(([file, { value }]) => valuesIn(basename(file, extname(file)), value, path));
    for (const value of new Set(values)) named.set(value, (named.get(value) ?? 0) + 1);
  }
  return [...named].filter(([, times]) => times > 1).map(([value]) => value);
}

function valuesIn(name: string, content: unknown, path: string): readonly string[] {
  const [first = '', ...fields] = path.split('.');
  if (first.replace('[]', '') !== name) return [];
  let found: readonly unknown[] = each(content, first);
  for (const field of fields) found = found.flatMap((value) => each(readField(value, field.replace('[]', '')), field));
  return found.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? normal(String(value)) : []));
}

function each(value: unknown, segment: string): readonly unknown[] {
  if (!segment.endsWith('[]')) return [value];
  return Array.isArray(value) ? value : [];
}

function normal(value: string): readonly string[] {
  const text = value.trim().toLowerCase();
  return text === '' ? [] : [text];
}
