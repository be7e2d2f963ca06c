import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { planService } from './service-plan.ts';

const unitFor = (root: string): string =>
  planService({
    platform: 'linux',
    home: '/home/u',
    root,
    isDefaultRoot: false,
    mark: 'a1b2c3d4',
    llmc: [process.execPath, '/opt/llmc/bin/llmc.cjs'],
    environment: { PATH: '/usr/bin', LANG: 'C.UTF-8' },
  }).text;

/** systemd 252 does not know these two, and says so; a newer one does. */
const NEWER = /Unknown key '(?:RestartSteps|RestartMaxDelaySec)' in section \[Service\], ignoring\./;

/** What systemd says against a unit; undefined on a machine without it. */
async function complaints(unit: string): Promise<readonly string[] | undefined> {
  using scratch = scratchFolder();
  const file = join(scratch.path, 'llmc-test.service');
  writeFileSync(file, unit);
  mkdirSync(join(scratch.path, 'run'));
  const env = { HOME: scratch.path, XDG_RUNTIME_DIR: join(scratch.path, 'run') };
  const { outcome, stderr } = await systemProcesses.run({ file: 'systemd-analyze', args: ['--user', '--man=no', 'verify', file], env });
  if (outcome.kind === 'not-started') return undefined;
  return stderr.split('\n').filter((line) => line.includes('llmc-test.service') && !NEWER.test(line));
}

/** systemd.syntax(7): a comment, an empty line, a section, or a key with a value. No line continues on the next. */
const LINE = /^(?:#.*|\[(?:Unit|Service|Install)\]|[A-Z][A-Za-z]+=.*[^\\])?$/;

test.each(['/home/u/llmc', '/home/u/my "root"', '/home/u/100%h', '/home/u/$HOME', "/home/u/it's ünder #1; x"])(
  'systemd has nothing against the unit of the root %s',
  async (root) => {
    const unit = unitFor(root);
    expect(unit.split('\n').filter((line) => !LINE.test(line))).toEqual([]);
    expect((await complaints(unit)) ?? []).toEqual([]);
  },
);

test('the check of systemd finds a key and a value that it does not know', async () => {
  const found = await complaints(unitFor('/r').replace('Type=', 'Typ=').replace('KillMode=process', 'KillMode=proces'));
  expect([undefined, 2]).toContain(found?.length);
});
