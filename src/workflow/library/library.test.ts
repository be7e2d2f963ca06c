import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo } from '../../../test/support/scratch-repo.ts';
import { builtInFolderFrom } from './built-in-folder.ts';
import { findWorkflow, openLibrary } from './library.ts';

const BUILT_IN = ['fix-issues', 'literature-review', 'stories', 'swarm'].map((name) => `${name} of the built-in`);

const flow = (name: string, command = 'make') => `name: ${name}\nstages:\n  - { id: a, command: ${command} }\n`;

/** A root with a configuration and these workflows, for the repository. */
function rootOf(repo: ScratchRepo, files: Readonly<Record<string, string>>, config = ''): string {
  const root = join(repo.dir, 'the-root');
  mkdirSync(join(root, 'workflows'), { recursive: true });
  writeFileSync(join(root, 'config.toml'), `[repo]\nsource = ${JSON.stringify(repo.path)}\n${config}`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'workflows', name), text);
  return root;
}

const names = (workflows: readonly { readonly name: string; readonly origin: string | undefined }[]) =>
  workflows.map(({ name, origin }) => `${name} of the ${origin}`);

test('the root wins over the repository, and the repository over what is built in', async () => {
  await using repo = await scratchRepo();
  await repo.commit('workflows', {
    'workflows/swarm.yaml': flow('swarm', 'two'),
    'workflows/ours.yml': flow('ours'),
    'workflows/notes.md': 'x',
  });
  const root = rootOf(repo, { 'swarm.yaml': flow('swarm', 'one'), 'mine.yaml': flow('mine') });
  const library = await openLibrary(root, repo.git);
  expect(names(library.workflows)).toEqual([
    'mine of the root',
    'swarm of the root',
    'ours of the repository',
    'swarm of the repository',
    ...BUILT_IN,
  ]);
  const { workflow, shadows } = await findWorkflow(root, repo.git, 'swarm');
  expect(workflow).toMatchObject({
    origin: 'root',
    file: join(root, 'workflows/swarm.yaml'),
    reading: { kind: 'valid', plan: { stages: [{ lines: ['one'] }] } },
  });
  expect(names(shadows)).toEqual(['swarm of the repository', 'swarm of the built-in']);
});

test('the repository counts as it is committed on its main branch', async () => {
  await using repo = await scratchRepo();
  await repo.commit('workflows', { 'workflows/a.yaml': flow('a', 'committed'), 'workflows/deep/b.yaml': flow('b') });
  await repo.write('workflows/a.yaml', flow('a', 'edited'));
  await repo.write('workflows/new.yaml', flow('new'));
  await repo.run(['checkout', '-q', '-b', 'other']);
  const { workflows } = await openLibrary(rootOf(repo, {}, 'branch = "main"\n'), repo.git);
  expect(workflows.filter(({ origin }) => origin === 'repository')).toMatchObject([
    { name: 'a', file: 'main:workflows/a.yaml', reading: { plan: { stages: [{ lines: ['committed'] }] } } },
  ]);
});

test('a link in the repository is not followed, and a large file is a problem of that file alone', async () => {
  await using repo = await scratchRepo();
  mkdirSync(join(repo.path, 'workflows'));
  symlinkSync('/etc/passwd', join(repo.path, 'workflows/link.yaml'));
  await repo.commit('workflows', { 'workflows/large.yaml': `# ${'x'.repeat(200_000)}`, 'workflows/a.yaml': flow('a') });
  const { workflows } = await openLibrary(rootOf(repo, {}), repo.git);
  const ours = workflows.filter(({ origin }) => origin === 'repository');
  expect(ours.map(({ name, reading }) => [name, reading.kind])).toEqual([
    ['a', 'valid'],
    ['large', 'invalid'],
  ]);
});

test('agents are those of the configuration, and the name is that of the file', async () => {
  await using repo = await scratchRepo();
  const text = 'name: b\nroles: { x: { agent: fats }, y: { agent: fast } }\nstages:\n  - { id: a, command: make }\n';
  const root = rootOf(repo, { 'a.yaml': text }, '[agents.fast]\nextends = "claude"\n');
  const { reading } = (await findWorkflow(root, repo.git, 'a')).workflow;
  expect(reading.kind === 'invalid' && reading.problems.map(({ message }) => message)).toEqual([
    'name: found the string "b", expected "a", because the file has this name',
    'roles.x.agent: there is no agent "fats"; did you mean "fast"?',
  ]);
});

test('a file is found by its path, with any name; a missing one is reported', async () => {
  await using repo = await scratchRepo();
  const root = rootOf(repo, {});
  const find = async (word: string) => (await findWorkflow(root, repo.git, word)).workflow;
  const path = join(repo.dir, 'any.yaml');
  writeFileSync(path, flow('other'));
  expect(await find(path)).toMatchObject({ origin: undefined, file: path, reading: { kind: 'valid' } });
  await expect(find(join(repo.dir, 'gone.yaml'))).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  await expect(find('swram')).rejects.toMatchObject({ message: 'there is no workflow "swram"; did you mean "swarm"?' });
  mkdirSync(join(repo.dir, 'folder.yaml'));
  expect(await find(join(repo.dir, 'folder.yaml'))).toMatchObject({
    reading: { problems: [{ message: 'the file cannot be read: it is not a plain file' }] },
  });
});

test('without a root, or with a repository that is gone, the others are still there', async () => {
  await using repo = await scratchRepo();
  expect(names((await openLibrary(join(repo.dir, 'nothing'), repo.git)).workflows)).toEqual(BUILT_IN);
  const root = rootOf(repo, { 'mine.yaml': flow('mine') });
  writeFileSync(join(root, 'config.toml'), `[repo]\nsource = ${JSON.stringify(join(repo.dir, 'gone'))}\n`);
  const library = await openLibrary(root, repo.git);
  expect(names(library.workflows)).toEqual(['mine of the root', ...BUILT_IN]);
  expect(library.problem).toMatch(/gone/);
});

test.each([
  ['/repo/src/workflow/library/built-in-folder.ts', '/repo/workflows'],
  ['/package/dist/chunks/workflows-1a2b.js', '/package/workflows'],
  ['/package/dist/llmc.js', '/package/workflows'],
])('from %s, the built-in workflows are in %s', (here, folder) => {
  expect(builtInFolderFrom(here)).toBe(folder);
});
