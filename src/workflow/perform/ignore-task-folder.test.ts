import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { walledTest } from '../../../test/support/walled-test.ts';
import { sandboxPlaces } from '../../sandbox/places.ts';
import { makeLayout } from '../../store/layout.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { settleSandbox } from '../../workers/worktree/sandbox.ts';
import { contextWorkers } from './context-workers.ts';
import { ignoreTaskFolder } from './ignore-task-folder.ts';

test.each([
  [undefined, '/.llmc-task/\n'],
  ['', '/.llmc-task/\n'],
  ['# mine\n*.tmp', '# mine\n*.tmp\n/.llmc-task/\n'],
  ['/.llmc-task/\n*.tmp\n', '/.llmc-task/\n*.tmp\n'],
])('git ignores the folder of tasks beside what it ignored before: %j', (before, after) => {
  using scratch = scratchFolder();
  const path = join(scratch.path, '.git/info/exclude');
  if (before !== undefined) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, before);
  }
  const context = { layout: makeLayout(scratch.path), files: systemFiles };
  ignoreTaskFolder(context);
  ignoreTaskFolder(context);
  expect(readFileSync(path, 'utf8')).toBe(after);
});

const DEV = { name: 'swarm-1-dev', run: 'swarm-1', role: 'dev', agent: 'demo', model: undefined, prompt: '' };

walledTest('a sandboxed worker of a run has it in its own .git before its first agent starts', async () => {
  await using work = await scratchWork({ repo: '[sandbox]\nkind = "bubblewrap"' });
  const { context, repo } = work;
  rmSync(join(context.layout.root, '.git/info/exclude'), { force: true });
  await contextWorkers(context).make(DEV);
  const worker = context.store.worker(DEV.name);
  await settleSandbox(context, await context.config(), worker, { HOME: repo.home });
  expect(readFileSync(join(sandboxPlaces(context.layout, DEV.name).git, 'info/exclude'), 'utf8')).toContain('/.llmc-task/\n');
});
