import { chmod, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../../test/support/scratch-repo.ts';
import { readChange } from '../../../git/diff.ts';
import { type FoundNotable, findNotable } from './find-notable.ts';
import type { UserLine } from './user-lines.ts';

/** What is found in the work of a worker, which `work` writes on top of the files of main. */
async function foundIn(repo: ScratchRepo, lines: readonly UserLine[], work: (at: string) => Promise<unknown>): Promise<FoundNotable> {
  const { root, base, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  await work(at);
  await repo.run(['add', '--all'], at);
  await repo.run(['commit', '--quiet', '-m', 'Work'], at);
  const head = await repo.run(['rev-parse', 'HEAD'], at);
  return await findNotable(repo.git, root, { base, head, change: await readChange(repo.git, root, base, head), lines });
}

/** `file: rule: what was found`, as one line each. */
const asLines = ({ notable }: FoundNotable) => notable.map(({ file, rule, found, is }) => `${file} ${is}: ${rule}: ${found.join(', ')}`);

const LOCK = (host: string) =>
  `{"packages": {"node_modules/x": {"resolved": "https://${host}/x.tgz", "funding": {"url": "https://give.example"}}}}`;

test('files that act are found by what they mean on both sides, the most dangerous first', async () => {
  const main = {
    'package.json':
      '{\n  "scripts": {\n    "postinstall": "node tools/after && npm run gen",\n    "gen": "gen",\n    "lint": "eslint ."\n  }\n}\n',
    'tools/after.js': 'one\n',
    'tools/other.js': 'one\n',
    'check.sh': 'one\n',
    Makefile: 'all:\n',
    'docs/rules.md': 'one\n',
    '.travis.yml': 'one\n',
    'old/.envrc': 'one of some length\nand more\n',
    'package-lock.json': LOCK('registry.npmjs.org'),
    'pyproject.toml': '[project]\nname = "x"\n[build-system]\nrequires = ["setuptools"]\n',
  };
  await using repo = await scratchRepo({ files: main });
  await symlink('docs/rules.md', join(repo.path, 'CLAUDE.md'));
  await repo.run(['add', '--all']);
  await repo.run(['commit', '--quiet', '-m', 'Link']);
  const lines = [
    { from: '[repo] validate', command: './check.sh && make test', folder: '' },
    { from: '[repo] format', command: 'npm run lint', folder: '' },
    { from: 'core.hookspath', command: 'tools/git', folder: '', isFolder: true as const },
  ];
  const found = await foundIn(repo, lines, async (at) => {
    await rm(join(at, '.travis.yml'));
    await rename(join(at, 'old/.envrc'), join(at, 'old/env'));
    for (const [file, text] of Object.entries({
      'package.json': '{"scripts":{"postinstall":"node tools/after && npm run gen","gen":"other","lint":"other","build":"x"}}',
      'tools/after.js': 'two\n',
      'tools/other.js': 'two\n',
      'tools/git/check': 'two\n',
      'check.sh': 'two\n',
      Makefile: 'all:\n\tevil\n',
      'docs/rules.md': 'two\n',
      'package-lock.json': LOCK('evil.example'),
      'pyproject.toml': '[project]\nname = "y"\n[build-system]\nrequires = ["setuptools"]\nbackend-path = ["."]\n',
      'workflows/ship.yaml': 'name: ship\n',
      'deep/.NPMRC': 'script-shell=./x\n',
      'fixtures/repo/HEAD': 'ref: refs/heads/main\n',
      'fixtures/repo/config': '[core]\n\tfsmonitor = ./evil\n',
      'fixtures/repo/objects/x': '',
      'fixtures/repo/refs/x': '',
      'fixtures/other/HEAD': 'ref: refs/heads/main\n',
      'fixtures/other/commondir': '../../elsewhere\n',
      'src/a.txt': 'text\n# vim: set foldexpr=system("evil"):\n',
    }))
      await repo.write(file, text, at);
  });
  expect(asLines(found)).toEqual([
    'workflows/ship.yaml added: workflow: ',
    'Makefile changed: line: [repo] validate',
    'check.sh changed: line: [repo] validate',
    'tools/git/check added: line: core.hookspath',
    'fixtures/other/HEAD added: repository: ',
    'fixtures/other/commondir added: repository: ',
    'fixtures/repo/HEAD added: repository: ',
    'fixtures/repo/config added: repository: ',
    'fixtures/repo/objects/x added: repository: ',
    'fixtures/repo/refs/x added: repository: ',
    'old/env changed: shell: it was old/.envrc',
    'package.json changed: package: scripts.gen, scripts.lint',
    'tools/after.js changed: package: named in package.json',
    'deep/.NPMRC added: install: ',
    'package-lock.json changed: install: packages from evil.example',
    'pyproject.toml changed: python: build-system',
    'docs/rules.md changed: agent: CLAUDE.md is a link to it',
    'src/a.txt added: editor: a modeline',
    '.travis.yml deleted: ci: ',
  ]);
});

test('an ordinary change is not notable', async () => {
  await using repo = await scratchRepo({
    files: {
      'package.json': '{ "scripts": { "postinstall": "x", "dev": "a" }, "dependencies": { "a": "^1.0.0" } }\n',
      'objects/HEAD.md': 'x\n',
    },
  });
  const found = await foundIn(repo, [{ from: '[repo] validate', command: 'npm test', folder: '' }], async (at) => {
    await repo.write(
      'package.json',
      '{\n  "scripts": { "postinstall": "x", "dev": "b" },\n  "dependencies": { "a": "~2.0.0", "b": "latest" }\n}\n',
      at,
    );
    await repo.write('src/install.ts', 'x\n', at);
    await repo.write('docs/workflows/a.yaml', 'x\n', at);
    await repo.write('docs/vim.md', 'Write vim: set ts=2 at the end of a file.\n', at);
    await repo.write('run.sh', 'x\n', at);
    await chmod(join(at, 'run.sh'), 0o755);
  });
  expect(found).toEqual({ notable: [], twins: [] });
});

test('a new name that looks like another one of its folder, or differs in case only, is a twin', async () => {
  await using repo = await scratchRepo({
    files: { 'README.md': 'x\n', 'src/modern.ts': 'x\n', 'src/а.ts': 'x\n', 'lib/scope/a.ts': 'x\n' },
  });
  const { twins } = await foundIn(repo, [], async (at) => {
    for (const file of ['readme.md', 'src/modem.ts', 'other/modem.ts', 'src/a.ts', 'lib/ѕсоре/b.ts', 'src/b.ts'])
      await repo.write(file, 'y\n', at);
  });
  expect(twins).toEqual([
    { file: 'lib/ѕсоре/b.ts', resembles: 'lib/scope' },
    { file: 'readme.md', resembles: 'README.md' },
    { file: 'src/a.ts', resembles: 'src/а.ts' },
    { file: 'src/modem.ts', resembles: 'src/modern.ts' },
  ]);
});
