import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { complaints } from '../support/complaints.ts';
import { rowsOfThisRun, testOfFullRun } from '../support/full-run.ts';
import { scratchTmux, until } from '../support/scratch-tmux.ts';
import { openView } from '../support/view.ts';
import { llmcWorld } from '../support/world.ts';
import { Pipeline, pipelineWorld } from './pipeline-world.ts';

describe('a broken file', () => {
  test('config.toml: add and reset report file, line, column and what was expected; without a last valid one, up refuses', async () => {
    await using world = await llmcWorld({ stage: 'root', workers: ['adam'] });
    const file = join(world.root, 'config.toml');
    const good = readFileSync(file, 'utf8');
    const line = good.split('\n').length;
    writeFileSync(file, `${good}mood = "fine"\n`);
    // A command that edits the file cannot; the others go on with the last valid one.
    const error = await world.refused(['add', 'baker']);
    expect(error).toMatchObject({ status: 2, code: 'CONFIG_INVALID' });
    expect(error.message).toContain(`config.toml:${line}:1: `);
    expect(error.message).toContain('mood');
    const reset = await world.run(['reset', 'adam']);
    expect(reset).toMatchObject({ status: 0, stderr: expect.stringContaining(`config.toml:${line}:1: `) });
    expect((await world.status()).problems).toEqual([expect.stringContaining('The last valid configuration is in force')]);
    rmSync(join(world.root, 'run', 'valid-config.toml'));
    for (const args of [['up'], ['up', '--detach'], ['reset', 'adam']])
      expect({ args, ...(await world.refused(args)) }).toMatchObject({ args, status: 2, code: 'CONFIG_INVALID' });
    expect((await complaints(world)).configuration?.message).toContain(`config.toml:${line}:1: `);
    expect((await world.status()).workers).toMatchObject([{ name: 'adam', status: 'offline' }]);

    writeFileSync(file, good.replace('[defaults]\n', '[defaults]\nskip_permissions = "sometimes"\n'));
    const { message } = await world.refused(['add', 'baker']);
    expect(message).toMatch(/config\.toml:\d+:20: .*skip_permissions.*(true|boolean)/);
    writeFileSync(file, good);
    expect(await world.status()).toMatchObject({ branch: 'main', problems: [], workers: [{ name: 'adam' }] });
  });

  // The test of a configuration that breaks while the supervisor runs shows status and the same error in each run.
  testOfFullRun('config.toml: status still shows the workers, reports the error, and finds the default branch', async () => {
    await using world = await llmcWorld({ stage: 'root', workers: ['adam'], source: { branch: 'trunk' } });
    const file = join(world.root, 'config.toml');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, good.replace(/^branch = .*\n/m, ''));
    expect(await world.status()).toMatchObject({ source: world.source, branch: 'trunk', problems: [] });
    writeFileSync(file, '[repo\n');
    const { workers, problems } = await world.status();
    expect(workers).toMatchObject([{ name: 'adam' }]);
    expect(problems).toEqual([expect.stringMatching(/config\.toml:1:\d+: not valid TOML/)]);
    expect(await world.ok('status')).toMatch(/^\S+root, supervisor not running.*\n! .*config\.toml:1:\d+: not valid TOML.* llmc doctor\n/);
  });

  test('config.toml while the supervisor runs: work continues with the last valid one, also after a restart, until it is valid again', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    const file = join(world.root, 'config.toml');
    const good = readFileSync(file, 'utf8');
    const pid = await world.panePid('adam');
    writeFileSync(file, '[repo\n');
    const broken = await world.status();
    expect(broken.workers).toMatchObject([{ name: 'adam', status: 'idle' }]);
    expect(broken.problems).toEqual([expect.stringContaining('config.toml:1:')]);
    const started = await world.run(['start', '--prompt', 'Go on', '--wait', '--timeout', '90s']);
    expect(started).toMatchObject({ status: 0, stderr: expect.stringContaining('The last valid configuration is in force') });
    expect(await world.panePid('adam')).toBe(pid);
    await until('the history to have it', async () => (await world.ok('logs')).includes('config.toml is invalid since'));
    expect(await world.ok('why', 'adam')).toContain('config.toml:1:');

    await world.ok('down');
    await world.comeUp();
    expect((await world.status()).problems).toEqual([expect.stringContaining('config.toml:1:')]);
    writeFileSync(file, good);
    await until('the file to be in force again', async () => (await world.ok('logs')).includes('config.toml is valid again'));
    expect((await world.status()).problems).toEqual([]);
    writeFileSync(file, '[repo\n');
    expect(await world.ok('down')).toContain('Stopped adam');
    await until('all processes to end', async () => world.processes().length === 0);
    expect((await world.status()).workers).toMatchObject([{ status: 'offline', status_before_offline: 'needs_review' }]);
  });

  test('config.toml during a run: no stage fails, also with another supervisor, and the view names file and line until it is repaired', async () => {
    await using world = await pipelineWorld();
    await using outside = await scratchTmux();
    const file = join(world.root, 'config.toml');
    const good = readFileSync(file, 'utf8');
    const gate = (name: string) => `touch ${name}.began; until [ -e ${name} ]; do sleep 0.1; done`;
    const at = (name: string) => join(world.dir, name);
    const run = await Pipeline.define(
      world,
      'edited',
      `roles: { writer: {} }
stages:
  - { id: first, command: ${JSON.stringify(gate(at('one')))} }
  - { id: write, role: writer, prompt: Write about clocks. }
  - { id: second, command: ${JSON.stringify(gate(at('two')))} }
  - { id: again, role: writer, prompt: Write about tides. }
`,
    ).start();
    await until('the first stage to run', async () => existsSync(at('one.began')));
    writeFileSync(file, `${good}[defaults\n`);
    const line = good.split('\n').length;
    world.write('one', '', world.dir);
    await until('the third stage to run', async () => existsSync(at('two.began')));
    const view = await openView(outside, world, 'edited', { width: 200, height: 50 });
    await view.shows(new RegExp(`config\\.toml:${line}:\\d+: not valid TOML`));
    expect((await complaints(world)).configuration?.message).toContain('The last valid configuration is in force');

    await world.killSupervisor();
    await world.comeUp();
    expect((await world.status()).problems).toEqual([expect.stringContaining(`config.toml:${line}:`)]);
    world.write('two', '', world.dir);
    const done = await run.wait();
    expect({ status: done.status, states: done.stages.map(({ state }) => state) }).toEqual({
      status: 'done',
      states: ['done', 'done', 'done', 'done'],
    });
    expect((await run.report()).errors).toEqual([]);
    await view.shows(/config\.toml:\d+:/);
    writeFileSync(file, good);
    await view.lacks(/config\.toml:\d+:/);
    expect(await complaints(world)).toEqual({});
  });

  test('config.toml removed while the supervisor runs: status reports it, down stops the supervisor, and init writes the file again', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    const file = join(world.root, 'config.toml');
    rmSync(file);
    expect(await world.status()).toMatchObject({
      problems: [expect.stringContaining('config.toml')],
      workers: [{ name: 'adam', status: 'idle' }],
    });
    expect(await world.ok('down')).toContain('Stopped adam');
    expect((await world.status()).problems).toEqual([expect.stringContaining('config.toml is missing')]);
    expect((await complaints(world)).configuration).toMatchObject({ hint: expect.stringContaining(`llmc init --target ${world.root}`) });
    expect(await world.ok('init', '--target', world.root)).toContain('Wrote config.toml again');
    expect(await complaints(world)).toEqual({});
    await world.comeUp();
    expect(await world.worker('adam')).toMatchObject({ status: 'idle', agent: 'demo' });
  });

  const broken = [
    { what: 'garbage', text: '{ "version": 1, "workers": {' },
    { what: 'valid JSON of another shape', text: '{ "version": 1, "workers": [] }' },
    { what: 'empty', text: '' },
  ];
  // All of them are repaired in src/doctor/damaged-roots.test.ts.
  test.for(rowsOfThisRun(broken, ({ what }) => what === 'garbage'))(
    'state.json is $what: up takes the state from the journal and keeps the broken file',
    async ({ text }) => {
      await using world = await llmcWorld({ stage: 'root', workers: ['adam', 'baker'] });
      writeFileSync(join(world.root, 'state.json'), text);
      expect((await complaints(world)).state?.message).toContain('state.json is damaged');
      const seen = await world.status();
      expect(seen.workers.map(({ name }) => name)).toEqual(['adam', 'baker']);
      expect(seen.problems).toEqual([expect.stringContaining('state.json cannot be read')]);
      await world.comeUp();
      expect((await world.status()).workers).toMatchObject([
        { name: 'adam', status: 'idle' },
        { name: 'baker', status: 'idle' },
      ]);
      const aside = readdirSync(world.root).filter((name) => name.startsWith('state.json.broken-'));
      expect(aside).toHaveLength(1);
      expect(readFileSync(join(world.root, aside[0] ?? ''), 'utf8')).toBe(text);
      expect(await complaints(world)).toEqual({});
    },
  );
});

describe('a broken database', () => {
  test('is reported by status, why and doctor; up moves it aside, reports it and continues from state.json', async () => {
    await using world = await llmcWorld({ workers: ['adam', 'baker'] });
    await world.ok('start', '--worker', 'adam', '--prompt', 'Outlive it', '--wait', '--timeout', '90s');
    await world.ok('down');
    const file = join(world.root, 'llmc.db');
    writeFileSync(file, 'no rows in here '.repeat(1_000));
    for (const beside of ['-wal', '-shm']) rmSync(`${file}${beside}`, { force: true });

    const shown = await world.run(['status']);
    expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining('has work to review, offline') });
    expect(shown.stdout).toContain('undelivered prompts are not shown – llmc up --replace --detach');
    expect(await world.refused(['why', 'adam'])).toMatchObject({
      code: 'DATABASE_ERROR',
      hint: expect.stringMatching(/^llmc up --replace --detach/),
    });
    expect((await complaints(world)).database).toMatchObject({
      message: expect.stringContaining('is damaged'),
      hint: expect.stringContaining('llmc up --replace --detach'),
    });

    const { status, stderr } = await world.run(['up', '--replace', '--detach']);
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('llmc.db.damaged-') });
    expect(readdirSync(world.root).filter((name) => name.startsWith('llmc.db.damaged-'))).toHaveLength(1);
    expect(await complaints(world)).toEqual({});
    await world.ok('accept', 'adam');
    expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Outlive it');
    expect(await world.ok('logs')).toContain('llmc.db was damaged');
  });

  test('removed under a running supervisor ends it with the reason, and up continues from state.json', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    for (const beside of ['', '-wal', '-shm']) rmSync(join(world.root, `llmc.db${beside}`), { force: true });
    await until('the supervisor to stop', async () => world.processes().length === 0);
    expect(await world.ok('logs', 'adam')).toMatch(/\(went_offline\): .*llmc\.db was removed/);
    expect((await complaints(world)).database).toMatchObject({ message: expect.stringContaining('is missing') });
    expect((await world.run(['status'])).stdout).toContain('offline');
    await world.comeUp();
    expect(await world.worker('adam')).toMatchObject({ status: 'idle' });
    expect(await complaints(world)).toEqual({});
  });
});
