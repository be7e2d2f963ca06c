import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { llmcWorld, permit } from '../support/world.ts';

/** The arguments of each command in the block that begins with this line, split as a shell does. */
function commandsIn(page: string, firstLine: string): string[][] {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  const block = text.split('```sh\n').find((each) => each.startsWith(firstLine));
  return (block?.split('```')[0] ?? '')
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''))
    .flatMap((line) => line.split(' && '))
    .filter((line) => line !== '')
    .map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''));
}

// Newcomers copy these blocks line by line, so the test adds nothing in between, but for what stands in for their terminal.
test.for([
  ['README.md', 'llmc init', 13],
  ['docs/getting-started.md', 'cd ~/code/shop', 7],
] as const)('the commands in %s work unchanged', async ([page, firstLine, atLeast]) => {
  await using world = await llmcWorld({ stage: 'source', source: { name: 'home/code/shop' } });
  let cwd = world.home;
  let ran = 0;
  for (const [program, ...typed] of commandsIn(page, firstLine)) {
    const args = typed.map((arg) => arg.replace(/^~/, world.home));
    if (program === 'cd') {
      cwd = args[0] ?? '';
      continue;
    }
    const { status, stdout, stderr } = await world.run(args, { cwd });
    expect({ program, status }, `llmc ${args.join(' ')}\n${stdout}${stderr}`).toEqual({ program: 'llmc', status: 0 });
    if (args[0] === 'init') permit(world.root);
    ran += 1;
  }
  expect(ran).toBeGreaterThanOrEqual(atLeast);
  expect(await world.git('log', '--format=%s', 'main')).toMatch(/^.+\nBegin$/);
});
