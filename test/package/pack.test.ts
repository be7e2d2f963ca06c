import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { scratchFolder } from '../repo/scratch.ts';
import { until } from '../support/scratch-tmux.ts';
import { processesWith } from './processes-with.ts';

const repository = join(import.meta.dirname, '../..');
const scratch = scratchFolder();
const home = join(scratch.path, 'home');
const temporary = join(scratch.path, 'tmp');
// What a machine without this repository would have: no node_modules/.bin on the way.
const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
const mark = `LLMC_TEST_MARK=${scratch.path}`;

let files: string[] = [];

beforeAll(() => {
  for (const folder of [home, temporary]) mkdirSync(folder);
  // Without the build script: a new bundle in the middle of the suite would pull the old one from under other tests.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch.path, '--cache', join(scratch.path, 'npm')];
  const packed = spawnSync('npm', pack, { cwd: repository, encoding: 'utf8' });
  expect(packed.status, packed.stderr).toBe(0);
  const tarball = readdirSync(scratch.path).find((name) => name.endsWith('.tgz')) ?? '';
  const unpacked = spawnSync('tar', ['-xzf', tarball], { cwd: scratch.path, encoding: 'utf8' });
  expect(unpacked.status, unpacked.stderr).toBe(0);
  files = readdirSync(join(scratch.path, 'package'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(scratch.path, 'package/').length));
});

afterAll(() => {
  for (const line of processesWith(mark)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  scratch[Symbol.dispose]();
});

function llmc(...args: string[]) {
  const env = { HOME: home, TMPDIR: temporary, PATH: path.join(delimiter), LLMC_TEST_MARK: scratch.path };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(scratch.path, 'package/bin/llmc.cjs'), ...args], {
    cwd: home,
    env,
    encoding: 'utf8',
    timeout: 280_000,
  });
  return { status, stdout, stderr };
}

describe('the package', () => {
  test('holds the program, its documentation and nothing else', () => {
    const known =
      /^(?:bin\/(?:llmc|start)\.cjs|dist\/(?:llmc|demo-agent|agent-network)\.js|dist\/chunks\/[^/]+\.js|docs\/.+\.md|docs\/pictures\/[a-z]+\.svg|man\/llmc\.1|workflows\/[a-z-]+\.yaml|schemas\/workflow\.json|README\.md|LICENSE|package\.json)$/;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
    const needed = [
      'bin/llmc.cjs',
      'bin/start.cjs',
      'dist/llmc.js',
      'dist/agent-network.js',
      'dist/demo-agent.js',
      'man/llmc.1',
      'README.md',
      'LICENSE',
      'package.json',
      ...['fix-issues', 'literature-review', 'stories', 'swarm'].map((name) => `workflows/${name}.yaml`),
      'schemas/workflow.json',
    ];
    expect(files).toEqual(expect.arrayContaining(needed));
  });

  test('asks npm for no other package', () => {
    const packed: object = JSON.parse(readFileSync(join(scratch.path, 'package/package.json'), 'utf8'));
    expect(packed).not.toHaveProperty('dependencies');
    expect(packed).not.toHaveProperty('optionalDependencies');
    expect(packed).not.toHaveProperty('peerDependencies');
  });
});

test('a global install finds the program and its page', () => {
  const prefix = join(scratch.path, 'prefix');
  const tarball = readdirSync(scratch.path).find((name) => name.endsWith('.tgz')) ?? '';
  const words = ['install', '--global', '--offline', '--prefix', prefix, '--cache', join(scratch.path, 'npm'), join(scratch.path, tarball)];
  const installed = spawnSync('npm', words, { cwd: home, env: { HOME: home, PATH: process.env.PATH }, encoding: 'utf8' });
  expect(installed.status, installed.stderr).toBe(0);
  expect(readdirSync(join(prefix, 'bin'))).toEqual(['llmc']);
  // npm links a page only if package.json has a list of them. man finds it beside the folder of the program.
  const page = join(prefix, 'share/man/man1/llmc.1');
  expect(readFileSync(page, 'utf8')).toContain('.TH LLMC 1');
  const env = { HOME: home, PATH: [join(prefix, 'bin'), ...path].join(delimiter) };
  const found = spawnSync('man', ['-w', 'llmc'], { cwd: home, env, encoding: 'utf8' });
  // A container may have no man.
  if (found.error === undefined) expect(realpathSync(found.stdout.trim()), found.stderr).toBe(realpathSync(page));
});

describe('unpacked into an empty folder, with an empty home and no node_modules', () => {
  test('it prints its version', () => {
    expect(llmc('--version')).toEqual({ status: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  test('it finds its own workflows, and accepts them', () => {
    expect(llmc('workflows', 'validate', 'swarm')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/swarm\.yaml is valid: 4 stages, 3 roles\.\n$/),
    });
  });

  test('it prints help', () => {
    const { status, stdout } = llmc('help');
    expect(status).toBe(0);
    expect(stdout).toContain('accept');
  });

  test('it runs the whole demo and leaves no file and no process behind', async () => {
    const { status, stdout, stderr } = llmc('demo');
    expect(status, `${stdout}${stderr}`).toBe(0);
    expect(readdirSync(home)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
    // Processes that got a signal may still be ending.
    await until('its last process to end', async () => processesWith(mark).length === 0);
  });
});
