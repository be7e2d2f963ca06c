import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemProcesses } from '../../src/system/processes.ts';
import { installedCodex } from './install.ts';
import { IsolatedCodex } from './isolated.ts';

const program = await installedCodex();

describe.skipIf(program === undefined)('the real Codex', () => {
  let isolated: IsolatedCodex;
  beforeAll(async () => {
    isolated = await IsolatedCodex.create({ baseUrl: 'http://127.0.0.1:9/v1' });
  });
  afterAll(async () => isolated[Symbol.asyncDispose]());

  test('is the version that was measured', async () => {
    const env = Object.fromEntries(Object.keys(process.env).map((name) => [name, isolated.env[name]]));
    const { stdout } = await systemProcesses.run({ file: program ?? '', args: ['--version'], env: { ...env, ...isolated.env } });
    expect(stdout).toBe('codex-cli 0.166.0\n');
  });
});
