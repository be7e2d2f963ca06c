import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { addSubmodule } from '../../test/support/scratch-repo.ts';
import { scratchWork } from '../../test/support/scratch-work.ts';
import { addWorker } from './add-worker.ts';
import { nukeWorker } from './nuke-worker.ts';

test('workers added and removed at the same time all change the configuration', async () => {
  await using work = await scratchWork();
  const { context } = work;
  await Promise.all([
    addWorker(context, { name: 'baker', overrides: { agent: 'demo', model: 'small' } }),
    addWorker(context, { name: 'carol', overrides: { agent: 'demo' } }),
    nukeWorker(context, 'adam'),
  ]);
  const text = await readFile(context.layout.config, 'utf8');
  expect(text.match(/^\[workers\..*\]$/gm)?.toSorted()).toEqual(['[workers.baker]', '[workers.carol]']);
  expect(text).toContain('model = "small"');
});

test('a worker that cannot be recorded leaves neither a worktree nor an entry in the configuration', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const { database } = context.store;
  const before = await readFile(context.layout.config, 'utf8');
  // As on a full disk: the next row does not fit.
  database.exec("CREATE TRIGGER full BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'no room'); END");
  await expect(addWorker(context, { name: 'baker', overrides: { agent: 'demo' } })).rejects.toThrow('no room');
  expect(await readFile(context.layout.config, 'utf8')).toBe(before);
  expect(await work.repo.run(['for-each-ref', '--format=%(refname)', 'refs/heads'], context.layout.root)).toBe('refs/heads/llmc/adam');
  database.exec('DROP TRIGGER full');
  expect(await addWorker(context, { name: 'baker', overrides: { agent: 'demo' } })).toMatchObject({ name: 'baker' });
});

test('what a person writes into the configuration while the set-up runs stays', async () => {
  await using work = await scratchWork({ repo: `setup = ["echo '# a remark' >> ../../config.toml"]` });
  const { context } = work;
  await addWorker(context, { name: 'baker', overrides: { agent: 'demo' } });
  const text = await readFile(context.layout.config, 'utf8');
  expect(text).toContain('# a remark');
  expect(text).toContain('[workers.baker]');
});

test.for([
  { repo: '', told: true },
  { repo: 'setup = ["git -c protocol.file.allow=always submodule update --init"]', told: false },
])('submodules that stay empty are told, with the line that fills them: %o', async ({ repo, told }) => {
  await using work = await scratchWork({ repo });
  await addSubmodule(work.repo);
  await addWorker(work.context, { name: 'baker', overrides: { agent: 'demo' } });
  const line = work.said.find((each) => each.includes('submodule lib'));
  if (told) expect(line).toContain('setup = ["git submodule update --init --recursive"]');
  else expect(line).toBeUndefined();
});

test('the set-up does not run in a branch that was prepared for the worker: by an agent, or in the store, where the hint leads on', async () => {
  await using work = await scratchWork({ repo: 'setup = ["sh ./setup.sh"]' });
  const { context, repo, worktree } = work;
  await repo.commit('Prepare', { 'setup.sh': `touch ${repo.dir}/ran\n` }, worktree);
  await repo.run(['branch', 'llmc/baker'], worktree);
  // Main has no such file, so the line fails, and not by what the agent wrote.
  await expect(addWorker(context, { name: 'baker', overrides: { agent: 'demo' } })).rejects.toThrow('setup line');
  await repo.run(['branch', 'llmc/baker', 'llmc/adam'], context.layout.root);
  const refused = await addWorker(context, { name: 'baker', overrides: { agent: 'demo' } }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'GIT_WORKTREE_FAILED', message: expect.stringContaining('[repo] setup would run their files') });
  expect(existsSync(`${repo.dir}/ran`)).toBe(false);
  await repo.run(['branch', '-m', 'llmc/baker', 'kept/baker'], context.layout.root);
  await expect(addWorker(context, { name: 'baker', overrides: { agent: 'demo' } })).rejects.toThrow('setup line');
  expect(existsSync(`${repo.dir}/ran`)).toBe(false);
});
