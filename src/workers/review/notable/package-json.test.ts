import { expect, test } from 'vitest';
import { comparePackages } from './package-json.ts';
import { findNotableRule } from './rules.ts';

const found = (before: string | undefined, after: string, used: readonly string[] = []) =>
  comparePackages(before, after, (script) => used.includes(script)).found;

test.each([
  ['in one line', '{"scripts":{"postinstall":"evil"}}', ['scripts.postinstall']],
  ['with an escaped key', '{"scr\\u0069pts": {"post\\u0069nstall": "evil"}}', ['scripts.postinstall']],
  ['after a byte order mark', '\ufeff{"scripts":{"prepare":"evil"}}', ['scripts.prepare']],
  ['in a second table of scripts', '{"scripts":{}, "scripts":{"install":"evil"}}', ['scripts.install', 'scripts stands there twice']],
  ['before a script that is used', '{"scripts":{"pretest":"evil"}}', ['scripts.pretest']],
  ['before a script of the package', '{"scripts":{"go":"x","prego":"evil"}}', ['scripts.prego']],
  [
    'by another script',
    '{"scripts":{"prepare":"npm run a","a":"npm run b","b":"evil","c":"x"}}',
    ['scripts.prepare', 'scripts.a', 'scripts.b'],
  ],
])('a command that runs by itself is found %s', (_, after, expected) => {
  expect(found('{}', after).toSorted()).toEqual(expected.toSorted());
});

test.each([
  ['a git address', '{"dependencies":{"a":"git+https://evil.example/a.git"}}', ['dependencies.a: git+https://evil.example/a.git']],
  ['a repository of GitHub', '{"devDependencies":{"a":"evil/a"}}', ['devDependencies.a: evil/a']],
  ['a folder', '{"optionalDependencies":{"a":"file:../a"}}', ['optionalDependencies.a: file:../a']],
  ['another package under this name', '{"dependencies":{"a":"npm:evil@1"}}', ['dependencies.a: npm:evil@1']],
  ['an override', '{"overrides":{"a":{"b":"https://evil.example/b.tgz"}}}', ['overrides.a.b: https://evil.example/b.tgz']],
  ['versions of the registry', '{"dependencies":{"a":"^1","b":"~2.1","c":"*","d":"1.x || >=2","e":"workspace:*","f":"latest"}}', []],
])('of dependencies, %s counts', (_, after, expected) => {
  expect(found('{}', after)).toEqual(expected);
});

test('what both sides have does not count, and what cannot be parsed does', () => {
  const both = '{"scripts":{"postinstall":"x"},"dependencies":{"a":"evil/a"},"packageManager":"pnpm@1"}';
  expect(found(both, JSON.stringify(JSON.parse(both), null, 2))).toEqual([]);
  expect(found(both, both.replace('pnpm@1', 'evil@1'))).toEqual(['packageManager']);
  expect(found(both, '{ "scripts": ')).toHaveLength(1);
  expect(found(both, '[]')).toHaveLength(1);
  expect(found('{ broken', both)).toEqual(['scripts.postinstall', 'dependencies.a: evil/a', 'packageManager']);
  expect(found(undefined, '{"scripts":{"check":"x"}}', ['check'])).toEqual(['scripts.check']);
});

test.each([
  ...['workflows/a.yaml', 'WORKFLOWS/A.YML'].map((path) => [path, 'workflow']),
  ...['.husky/pre-commit', 'tools/post-checkout', 'a/pre-push.sample', '.githooks/x'].map((path) => [path, 'hook']),
  ...['.gitattributes', 'lib/.GitAttributes', '.gitmodules', '.lfsconfig'].map((path) => [path, 'git settings']),
  ...['.npmrc', 'a/.yarnrc.yml', '.pnpmfile.cjs', 'binding.gyp', '.yarn/plugins/x.cjs', 'setup.py'].map((path) => [path, 'install']),
  ...['.cargo/config.toml', 'crates/a/build.rs', '.mvn/extensions.xml'].map((path) => [path, 'build']),
  ...['tests/conftest.py', 'sitecustomize.py', 'x.pth'].map((path) => [path, 'python']),
  ...[
    'CLAUDE.md',
    'docs/AGENTS.md',
    'gemini.md',
    '.claude/settings.json',
    '.cursor/rules/a.mdc',
    '.cursorrules',
    '.mcp.json',
    'opencode.json',
  ].map((path) => [path, 'agent']),
  ...['.github/copilot-instructions.md', '.windsurfrules', '.aider.conf.yml', '.codex/config.toml'].map((path) => [path, 'agent']),
  ...['.vscode/tasks.json', '.idea/workspace.xml', '.devcontainer/devcontainer.json', '.zed/tasks.json', '.exrc', '.dir-locals.el'].map(
    (path) => [path, 'editor'],
  ),
  ...['.github/workflows/ci.yml', '.gitlab-ci.yml', '.circleci/config.yml', '.travis.yml', 'azure-pipelines.yml', 'Jenkinsfile'].map(
    (path) => [path, 'ci'],
  ),
  ...['.buildkite/pipeline.yml', '.drone.yml', '.woodpecker/a.yml', 'bitbucket-pipelines.yml', 'appveyor.yml', '.cirrus.yml'].map(
    (path) => [path, 'ci'],
  ),
  ...['.envrc', 'mise.toml'].map((path) => [path, 'shell']),
  ...['.huſky/x', '.n\u212apmrc'.replace('\u212a', '')].map((path) => [path, path.endsWith('x') ? 'hook' : 'install']),
  ...['src/a.ts', 'docs/github/workflows.md', 'sub/workflows/a.yaml', 'docs/claude.txt', 'src/setup.ts', 'commit-msg.md'].map((path) => [
    path,
    undefined,
  ]),
])('the rule of %s is %s', (path, rule) => {
  expect(findNotableRule(path ?? '')).toBe(rule);
});
