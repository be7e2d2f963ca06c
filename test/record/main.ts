import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { versionIn } from '../../src/agents/versions.ts';
import { barely } from '../../src/doctor/canary/surroundings.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';
import { installedClaude } from '../claude/install.ts';
import { installedCodex } from '../codex/install.ts';
import { claudeDriver } from './claude-driver.ts';
import { codexDriver } from './codex-driver.ts';
import { compare, difference, report } from './compare.ts';
import type { Driver } from './driver.ts';
import { previousOf, SCREENS } from './previous.ts';
import { fileName, record, write } from './record.ts';
import { SIZES } from './situation.ts';

const USAGE = `npm run record -- --agent <name> [--version <x.y.z> | --command <path>] [--only <situation,…>] [--size <80x24>] [--out <folder>]

Drives an installed agent CLI through the situations llmc must recognise, against a scripted API on loopback,
and records its screens. Says where llmc's rules read something else than the situation is, or than on the
recordings of the version before; then the exit status is 1.

  --version  install this version from npm (kept in the cache of the tests)
  --command  or use this program
  --out      write there, not into test/fixtures/screens/<agent>/<version>`;

interface Recorder {
  readonly install: (version?: string) => Promise<string | undefined>;
  readonly drive: (program: string) => Promise<Driver>;
}

const RECORDERS: Readonly<Record<string, Recorder>> = {
  claude: { install: installedClaude, drive: claudeDriver },
  codex: { install: installedCodex, drive: codexDriver },
};

async function main(): Promise<number> {
  const options = { agent: { type: 'string' }, version: { type: 'string' }, command: { type: 'string' } } as const;
  const more = { only: { type: 'string' }, size: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options: { ...options, ...more } });
  const recorder = RECORDERS[values.agent ?? ''];
  if (values.help || recorder === undefined) return fail(`${USAGE}\n\nAgents: ${Object.keys(RECORDERS).join(', ')}`);
  const program = values.command ?? (await recorder.install(values.version));
  if (program === undefined) return fail('The program could not be installed.');
  const version = await versionOf(program);
  if (version === undefined) return fail(`${program} --version names no version`);
  const agent = values.agent ?? '';
  const home = join(SCREENS, agent, version);
  const out = values.out === undefined ? home : resolve(values.out);
  const previous = previousOf(agent, version, out === home);

  await using driver = await recorder.drive(program);
  const all = driver.situations.map(({ name }) => name);
  const names = values.only?.split(',') ?? all;
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) return fail(`No situation ${unknown.join(', ')}. There are: ${all.join(', ')}`);
  const sizes = SIZES.filter(({ width, height }) => values.size === undefined || values.size === `${width}x${height}`);
  const recordings = await record(driver, names, sizes, (done) => process.stderr.write(`${fileName(done)}\n`));
  await write(out, recordings);
  const rows = recordings.map((each) => compare(driver.agent, each, previous?.screen(fileName(each))));
  const title = `${agent} ${version}, ${previous === undefined ? 'with nothing to compare' : `compared with the recordings of ${previous.version}`}, in ${relative('.', out)}`;
  process.stdout.write(`${report(title, rows)}\n`);
  return rows.some((row) => difference(row) !== undefined) ? 1 : 0;
}

async function versionOf(program: string): Promise<string | undefined> {
  // Use a home that does not exist, so that the program reads no user's settings.
  const command = { file: program, args: ['--version'], stdin: '', env: { HOME: '/nonexistent' } };
  const { stdout } = await barely(systemProcesses).run(command, { timeoutMs: 20_000 });
  return versionIn(stdout);
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return 2;
}

// What was started is ended by those who listen for the exit.
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => process.exit(status));
process.exitCode = await main();
