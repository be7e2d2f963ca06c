import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { scratchFolder } from '../repo/scratch.ts';

const repository = join(import.meta.dirname, '../..');
const guard: { NEEDED: string; isOldNode(version: string): boolean } = createRequire(import.meta.url)('../../bin/llmc.cjs');

/** The current Node, which reports an old version before the guard reads it. */
const pretender = { name: 'a Node that says it is 20.1.0', argv: [process.execPath, '--require', './pretend.cjs'] };
const oldNodes = [pretender, ...realOldNodes()];

/** The package as npm lays it out, with a tiny program in place of the bundle. */
function layOut(program: string) {
  const scratch = scratchFolder();
  const home = join(scratch.path, 'app/node_modules/llmc');
  mkdirSync(join(home, 'dist'), { recursive: true });
  cpSync(join(repository, 'bin'), join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(home, 'dist/llmc.js'), program);
  writeFileSync(join(scratch.path, 'pretend.cjs'), `Object.defineProperty(process.versions, 'node', { value: '20.1.0' });`);
  return Object.assign(scratch, { home, command: join(home, 'bin/llmc.cjs') });
}

/** Two folders above the package, as when npm hoists it. */
function giveOwnNode(scratch: { path: string }, node: string): void {
  mkdirSync(join(scratch.path, 'app/node_modules/node/bin'), { recursive: true });
  symlinkSync(node, join(scratch.path, 'app/node_modules/node/bin/node'));
}

function run(scratch: { path: string }, [file = '', ...args]: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(file, args, { cwd: scratch.path, encoding: 'utf8', env: {} });
}

function realOldNodes(): (typeof pretender)[] {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter(isExecutable)
    .filter((file, index, all) => all.findIndex((other) => realpathSync(other) === realpathSync(file)) === index)
    .map((file) => ({ file, version: run({ path: '/' }, [file, '-p', 'process.versions.node']).stdout.trim() }))
    .filter(({ version }) => version !== '' && guard.isOldNode(version))
    .map(({ file, version }) => ({ name: `${file} ${version}`, argv: [file] }));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing left to end.
  }
}

describe('the version check', () => {
  test.for([
    ['24.15.0', false],
    ['24.15.1', false],
    ['24.16.0', false],
    ['25.0.0', false],
    ['100.0.0', false],
    ['24.15.0-nightly', false],
    ['24.14.9', true],
    ['24.2.0', true],
    ['20.20.2', true],
    ['9.99.99', true],
  ] as const)('%s is too old: %s', ([version, tooOld]) => {
    expect(guard.isOldNode(version)).toBe(tooOld);
  });

  test('it asks for what package.json asks for', () => {
    expect(`>=${guard.NEEDED}`).toBe(packageJson.engines.node);
  });

  test('its file is ES5, so that the oldest Node reaches the sentence', () => {
    const source = readFileSync(join(repository, 'bin/llmc.cjs'), 'utf8').replace(/\/\/.*$/gm, '');
    expect(source.match(/=>|`|\b(?:const|let|class|async|await|import)\b|\.\.\.|\?\.|\?\?/g)).toBeNull();
  });
});

describe('a Node that is new enough', () => {
  test('runs the bundle in its own process with the arguments as given', () => {
    using scratch = layOut('console.log(JSON.stringify([process.argv.slice(2), process.pid]))');
    const { stdout, pid } = run(scratch, [process.execPath, scratch.command, 'start', '--prompt', 'two words']);
    expect(JSON.parse(stdout)).toEqual([['start', '--prompt', 'two words'], pid]);
  });

  test('says how to build when there is no bundle', () => {
    using scratch = layOut('');
    rmSync(join(scratch.home, 'dist'), { recursive: true });
    const { status, stderr } = run(scratch, [process.execPath, scratch.command]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: `llmc: ${scratch.home}/dist/llmc.js is missing: run npm run build\n` });
  });
});

describe.for(oldNodes)('$name', ({ argv }) => {
  test('without a Node of the package: one line with both versions, status 78', () => {
    using scratch = layOut('console.log("must not run")');
    const { status, stdout, stderr } = run(scratch, [...argv, scratch.command, 'status']);
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
    expect(stderr).toMatch(/^llmc: this is Node \d+\.\d+\.\d+; it needs Node 24\.15\.0 or newer: install one from \S+ and try again\n$/);
  });

  test('with a Node of the package: arguments, output and exit status pass through, and no mark is left for children', () => {
    using scratch = layOut('console.log(JSON.stringify([process.argv.slice(2), process.env])); process.exit(3)');
    giveOwnNode(scratch, process.execPath);
    const { status, stdout, stderr } = run(scratch, [...argv, scratch.command, 'start', '', 'two words']);
    expect({ status, seen: JSON.parse(stdout), stderr }).toEqual({ status: 3, seen: [['start', '', 'two words'], {}], stderr: '' });
  });

  test('dies the death of the program', () => {
    using scratch = layOut('process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)');
    giveOwnNode(scratch, process.execPath);
    expect(run(scratch, [...argv, scratch.command]).signal).toBe('SIGKILL');
  });

  test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('hands %s on and waits for the program to finish', async (signal) => {
    using scratch = layOut(`process.on('${signal}', () => { console.log('saved'); process.exit(5); });
      console.log('ready'); setInterval(() => {}, 1000);`);
    giveOwnNode(scratch, process.execPath);
    const [file = '', ...args] = argv;
    const child = spawn(file, [...args, scratch.command], {
      cwd: scratch.path,
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own, so that the clean-up reaches both processes.
      detached: true,
    });
    using _ = { [Symbol.dispose]: () => endGroup(child.pid) };
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output === '') child.kill(signal);
      output += text;
    });
    const [status] = await once(child, 'close');
    expect({ status, output }).toEqual({ status: 5, output: 'ready\nsaved\n' });
  });
});

test('Ctrl-C in a terminal reaches the program once', async () => {
  using scratch = layOut(`import { writeFileSync } from 'node:fs';
    let seen = 0;
    process.on('SIGINT', () => { seen += 1; console.log('interrupted'); });
    process.stdin.on('data', () => { writeFileSync('seen', String(seen)); process.exit(0); });
    console.log('ready');`);
  giveOwnNode(scratch, process.execPath);
  const socket = join(scratch.path, 's');
  const tmux = (...args: string[]) =>
    spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { cwd: scratch.path, encoding: 'utf8' });
  const shows = (text: string) =>
    expect.poll(() => tmux('capture-pane', '-p', '-t', '=ctrl-c:').stdout, { timeout: 240_000 }).toContain(text);
  using _ = { [Symbol.dispose]: () => tmux('kill-server') };
  tmux('new-session', '-d', '-s', 'ctrl-c', ...pretender.argv, scratch.command);
  await shows('ready');
  tmux('send-keys', '-t', '=ctrl-c:', 'C-c');
  await shows('interrupted');
  tmux('send-keys', '-t', '=ctrl-c:', 'Enter');
  const seen = join(scratch.path, 'seen');
  // The file is there before its text.
  await expect.poll(() => existsSync(seen) && readFileSync(seen, 'utf8'), { timeout: 240_000 }).toMatch(/./);
  expect(readFileSync(seen, 'utf8')).toBe('1');
});

test('a package whose own Node is too old too prints the sentence, and does not loop', () => {
  using scratch = layOut('console.log("must not run")');
  const wrapper = join(scratch.path, 'old-node');
  writeFileSync(wrapper, `#!/bin/sh\nexec '${process.execPath}' --require '${scratch.path}/pretend.cjs' "$@"\n`, { mode: 0o755 });
  giveOwnNode(scratch, wrapper);
  const { status, stdout, stderr } = run(scratch, [...pretender.argv, scratch.command]);
  expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
  expect(stderr.match(/this is Node/g)).toHaveLength(1);
});
