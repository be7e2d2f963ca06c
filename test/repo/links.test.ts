import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');

test('every page that README and docs link to exists', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: repository })];
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(repository, page), 'utf8').matchAll(/\]\((?!\w+:)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(repository, dirname(page), target)))
      .map((target) => `${page} → ${target}`),
  );
  expect(broken).toEqual([]);
});

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(join(repository, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const words = (heading: string) => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => words(heading));
  return new Set(headings.map((heading) => heading.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')));
}

test('every heading that README and docs link to exists', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: repository })];
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(repository, page), 'utf8').matchAll(/\]\((?!\w+:)([^)#]*)#([^)]*)\)/g)]
      .filter(([, target, anchor = '']) => !anchorsOf(target ? join(dirname(page), target) : page).has(anchor))
      .map(([link]) => `${page} ${link}`),
  );
  expect(broken).toEqual([]);
});

test('every script the contributing page names is in package.json', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const named = ['README.md', 'docs/contributing.md'].flatMap((page) =>
    [...readFileSync(join(repository, page), 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
  );
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});
