import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { llmcWorld, type World } from '../support/world.ts';

/** A world that is made once and copied, as in the kit, has no hard links. So each of these tests clones the source itself. */
const FIND = `common=$(git rev-parse --path-format=absolute --git-common-dir)
  object() { name=$(git rev-parse "$1" | sed 's|^..|&/|'); for store in "$common" "$ROOT/.git"; do [ ! -e "$store/objects/$name" ] || echo "$store/objects/$name"; done | head -n 1; }`;

async function cloned(): Promise<World> {
  const world = await llmcWorld({ stage: 'source' });
  await world.ok('init', '--source', world.source, '--target', world.root, '--agent', 'demo');
  await world.ok('add', 'adam');
  return world;
}

test.each([
  ['a tree', 'origin/main^{tree}'],
  ['a file', 'origin/main:README.md'],
  ['a commit', 'origin/main'],
])('an agent that empties %s of main in place does not damage the source', async (_, what) => {
  await using world = await cloned();
  const run = (script: string) =>
    execFileSync('sh', ['-eu', '-c', script], { cwd: world.worktree('adam'), env: { ...world.env, ROOT: world.root }, encoding: 'utf8' });
  run(`${FIND}\nfile=$(object '${what}'); chmod u+w "$file"; : > "$file"`);
  await world.git('fsck', '--strict');
});

test('an agent that rewrites a tree of main in place changes nothing that a person or a landing reads in the source', async () => {
  await using world = await cloned();
  const main = await world.git('rev-parse', 'main^{tree}');
  execFileSync(
    'sh',
    [
      '-eu',
      '-c',
      `${FIND}\necho evil > evil.sh; git add evil.sh; git commit --quiet -m Evil
        file=$(object 'origin/main^{tree}'); new=$(object 'HEAD^{tree}'); chmod u+w "$file"; cat "$new" > "$file"`,
    ],
    { cwd: world.worktree('adam'), env: { ...world.env, ROOT: world.root } },
  );
  expect(await world.git('ls-tree', '--name-only', main)).not.toContain('evil.sh');
});

test('no object of a root has a second name', async () => {
  await using world = await cloned();
  for (const folder of ['.git/objects', 'sandbox/adam/git/objects'])
    for (const { parentPath, name } of readdirSync(join(world.root, folder), { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    ))
      expect(statSync(join(parentPath, name)).nlink, join(parentPath, name)).toBe(1);
});
