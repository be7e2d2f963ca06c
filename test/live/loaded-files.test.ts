import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { llmcWorld, type World } from '../support/world.ts';

/** Notes the name of each file that Node loads, without the hash of its content. */
const NOTE_FILES = `
  import { registerHooks } from 'node:module';
  import { appendFileSync } from 'node:fs';
  const load = (url, context, next) => {
    if (url.startsWith('file:')) appendFileSync(process.env.LOADED, url.split('/').pop().replace(/-[\\w-]{8}[.]js$/, '.js') + '\\n');
    return next(url, context);
  };
  registerHooks({ load });
`;

async function loadedBy(world: World, ...args: readonly string[]): Promise<readonly string[]> {
  const file = join(world.dir, 'loaded.txt');
  rmSync(file, { force: true });
  const env = { LOADED: file, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(NOTE_FILES)}` };
  const { status, stderr } = await world.run(args, { env });
  expect(status, stderr).toBe(0);
  return readFileSync(file, 'utf8').trimEnd().split('\n').toSorted();
}

test('--version and status load two files of the program, so nothing of workflows, YAML or schemas', async () => {
  await using world = await llmcWorld({ stage: 'root' });
  const few = ['common.js', 'llmc.cjs', 'llmc.js', 'rolldown-runtime.js', 'start.cjs'];
  expect(await loadedBy(world, '--version')).toEqual(few);
  // The first command after an edit of config.toml, such as the one that made this root, validates it.
  await world.ok('status');
  expect(await loadedBy(world, 'status')).toEqual(few);
});
