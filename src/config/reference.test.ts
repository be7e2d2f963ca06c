import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describedSchema } from './described-schema.ts';
import { parseConfig } from './parse.ts';
import type { Node } from './problems/expectation.ts';
import { configurationReference } from './reference.ts';

const page = configurationReference();

/** Every option of the schema with its path. */
function* options(node: Node, path: string): Generator<[string, Node]> {
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    if (typeof child === 'boolean') continue;
    yield [`${path}${key}`, child];
    yield* options(child, `${path}${key}.`);
    if (typeof child.additionalProperties === 'object') yield* options(child.additionalProperties, `${path}${key}.*.`);
  }
}

test('every option has a description and a row', () => {
  const all = [...options(describedSchema(), '')];
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter(([, node]) => !node.description).map(([path]) => path)).toEqual([]);
  expect(all.filter(([path]) => path.includes('.') && !page.includes(`| \`${path.split('.').at(-1)}\` |`)).map(([path]) => path)).toEqual(
    [],
  );
});

test('the page in docs is the one the schema gives', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')).toBe(page);
});

test('the example on the page is a valid configuration', () => {
  const example = /```toml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  expect(parseConfig(example, 'docs/configuration.md').workers).toMatchObject({ baker: { model: 'sonnet', excludedFromPool: true } });
});
