import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../support/scratch-tmux.ts';
import { snapshot } from '../support/snapshot.ts';
import { llmcWorld, type World } from '../support/world.ts';

const doctor = z.object({
  healthy: z.boolean(),
  checks: z.array(
    z.object({ name: z.string(), level: z.enum(['ok', 'warning', 'failed']), message: z.string(), hint: z.string().optional() }),
  ),
});

/** The failed checks of llmc doctor, by name. */
async function complaints(world: World, env: Record<string, string> = {}) {
  const { status, stdout } = await world.run(['doctor', '--json'], { env });
  const { healthy, checks } = doctor.parse(JSON.parse(stdout));
  expect(status).toBe(healthy ? 0 : 2);
  return Object.fromEntries(checks.filter(({ level }) => level === 'failed').map((check) => [check.name, check]));
}

/** A PATH on which only these programs are found. */
function onlyThese(world: World, name: string, programs: Readonly<Record<string, string>>): { PATH: string } {
  const folder = join(world.dir, name);
  mkdirSync(folder);
  for (const [program, script] of Object.entries(programs)) writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: folder };
}

describe('a machine that lacks something', () => {
  test('no git: init reports it and makes nothing', async () => {
    await using world = await llmcWorld({ stage: 'source' });
    const env = onlyThese(world, 'empty', {});
    const error = await world.refused(['init', '--source', world.source, '--agent', 'demo'], { env });
    expect(error).toMatchObject({ status: 1, code: 'GIT_NOT_FOUND', severity: 'fatal' });
    expect(existsSync(world.root)).toBe(false);
  });

  test('an old git: init names the version it needs and makes nothing', async () => {
    await using world = await llmcWorld({ stage: 'source' });
    const env = onlyThese(world, 'old', { git: 'echo git version 2.30.2' });
    const error = await world.refused(['init', '--source', world.source, '--agent', 'demo'], { env });
    expect(error).toMatchObject({ status: 1, code: 'GIT_TOO_OLD' });
    expect(error.message).toMatch(/2\.30\.2.*2\.38/);
    expect(existsSync(world.root)).toBe(false);
  });

  test.for([
    { what: 'no tmux', tmux: undefined, code: 'TMUX_NOT_FOUND', says: 'not installed' },
    { what: 'an old tmux', tmux: 'echo tmux 3.1c', code: 'TMUX_TOO_OLD', says: '3.1c' },
  ])('$what: up reports it in the foreground and in the background, and so does doctor', async ({ tmux, code, says }) => {
    await using world = await llmcWorld({ stage: 'root', workers: ['adam'] });
    const git = 'PATH=/usr/local/bin:/usr/bin:/bin exec git "$@"';
    const env = onlyThese(world, 'without', { git, ...(tmux !== undefined && { tmux }) });
    const before = snapshot(world.root, world.source);
    for (const args of [['up'], ['up', '--detach']]) {
      const error = await world.refused(args, { env });
      expect(error).toMatchObject({ status: 1, code });
      expect(error.message).toContain(says);
    }
    expect(snapshot(world.root, world.source)).toEqual(before);
    expect((await complaints(world, env)).tmux?.message).toContain(says);
    expect(await complaints(world)).toEqual({});
  });

  test('no tmux and no agent: init makes the root and warns about both', async () => {
    await using world = await llmcWorld({ stage: 'source' });
    const env = onlyThese(world, 'without', { git: 'PATH=/usr/local/bin:/usr/bin:/bin exec git "$@"' });
    const { status, stdout } = await world.run(['init', '--source', world.source, '--agent', 'codex'], { env });
    expect({ status, lines: stdout.split('\n').filter((line) => line.startsWith('Warning')) }).toEqual({
      status: 0,
      lines: [
        'Warning: tmux is not on PATH. Install it before llmc up.',
        'Warning: codex is not on PATH. Install it, or set command under [agents.codex] in config.toml before llmc up.',
      ],
    });
  });

  test('an agent that is not installed: up names the program and what to do, and llmc starts the agent when it is there', async () => {
    await using world = await llmcWorld({ stage: 'root', workers: ['adam'], config: '[agents.demo]\ncommand = "no-such-agent"' });
    const printed = await world.ok('up', '--detach');
    expect(printed).toContain('no-such-agent is not on PATH. Install it, or set command under [agents.demo]');
    const why = await world.ok('why', 'adam');
    expect(why).toContain('no-such-agent is not on PATH');
    expect(why).toContain('Its agent (demo) is not running.');
    expect(why).not.toContain('no supervisor');
    expect(await world.worker('adam')).toMatchObject({ status: 'offline', crash_count: 0 });

    const file = join(world.root, 'config.toml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('command = "no-such-agent"', ''));
    await world.ok('wait', 'adam', '--for', 'idle', '--timeout', '90s');
    expect(await world.worker('adam')).toMatchObject({ attention: null, crash_count: 0 });
    await world.ok('start', '--prompt', 'Fine again', '--wait', '--timeout', '90s');
  });

  test('an agent that exits at its start: why shows its last screen', async () => {
    await using world = await llmcWorld({ stage: 'root', workers: ['adam'], config: '[agents.demo]\ncommand = "broken-agent"' });
    const { PATH: folder } = onlyThese(world, 'bin', { 'broken-agent': 'echo "broken-agent: cannot find the licence file" >&2; exit 1' });
    const env = { PATH: `${folder}:${world.env.PATH}` };
    await world.run(['up', '--detach'], { env });
    await world.ok('wait', 'adam', '--for', 'error', '--timeout', '90s');
    const why = await world.ok('why', 'adam');
    expect(why).toMatch(/^adam has failed, since .*\n.*\n→ The agent ended 3 times in a row\. Its last screen: llmc why adam;/);
    expect(why).toMatch(/^Its last screen before it ended at .*\n {2}broken-agent: cannot find the licence file$/m);
    expect(why.split('\n').length).toBeLessThan(20);
  });

  test('a target that cannot be written: init names it and leaves nothing behind', async () => {
    await using world = await llmcWorld({ stage: 'source' });
    // Permissions do not bind root, but even root cannot make a directory inside a file.
    writeFileSync(join(world.dir, 'file'), '');
    const target = process.getuid?.() === 0 ? 'file/root' : 'closed/root';
    if (target === 'closed/root') mkdirSync(join(world.dir, 'closed'), { mode: 0o555 });
    const before = snapshot(world.dir);
    const error = await world.refused(['init', '--source', world.source, '--agent', 'demo', '--target', target]);
    expect(error).toMatchObject({ status: 1, code: 'PERMISSION_DENIED' });
    expect(error.message).toContain(target);
    expect(snapshot(world.dir)).toEqual(before);
  });

  test('a worktree that cannot be made: add reports it and leaves no worker, branch or table behind', async () => {
    await using world = await llmcWorld({ stage: 'root' });
    rmSync(join(world.root, '.worktrees'), { recursive: true });
    writeFileSync(join(world.root, '.worktrees'), '');
    const before = snapshot(world.root);
    expect(await world.refused(['add', 'adam'])).toMatchObject({ status: 2, code: 'GIT_WORKTREE_FAILED' });
    // Empty directories of the clone, which its first use makes.
    const { [join(world.root, '.git/worktrees')]: _, [join(world.root, '.git/rr-cache')]: __, ...after } = snapshot(world.root);
    expect(after).toEqual(before);
  });
});

// The agent waits in the middle of its task until the test opens the gate, so the speed of the machine does not matter.
const GATED = `
turns:
  - steps:
      - run: until [ -e "$HOME/gate" ]; do sleep 0.1; done
      - edit: { path: done.txt, content: "done\\n" }
      - commit: Finish it
`;

describe('a worktree deleted by hand', () => {
  test('while nothing runs: status and doctor still work, and up makes it again with its commits', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    await world.ok('start', '--prompt', 'Keep this', '--wait', '--timeout', '90s');
    await world.ok('down');
    rmSync(world.worktree('adam'), { recursive: true });
    expect(await world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'needs_review' });
    expect((await complaints(world)).worktrees?.message).toContain('adam has no worktree');

    await world.comeUp();
    expect(await world.ok('review', 'adam')).toContain('Keep this');
    await world.ok('accept', 'adam');
    expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Keep this');
    expect(await complaints(world)).toEqual({});
  });

  test('under a running agent: start, review and accept make it again, and the agent runs in it', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    const pid = await world.panePid('adam');
    rmSync(world.worktree('adam'), { recursive: true });
    await world.ok('start', '--prompt', 'Go', '--wait', '--timeout', '90s');
    expect(await world.panePid('adam')).not.toBe(pid);

    rmSync(world.worktree('adam'), { recursive: true });
    expect(await world.ok('review', 'adam')).toContain('Go');
    rmSync(world.worktree('adam'), { recursive: true });
    await world.ok('accept', 'adam');
    expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Go');
    expect(await world.ok('why', 'adam', '--full')).toContain('its worktree was missing; made again');
  });

  test('in the middle of a task: llmc makes it again, and the agent continues in it', async () => {
    await using world = await llmcWorld({ workers: ['adam'], scenario: GATED });
    await world.ok('start', '--prompt', 'Finish this');
    await until('it to work', async () => (await world.worker('adam')).activity.kind === 'processing');
    const pid = await world.panePid('adam');
    rmSync(world.worktree('adam'), { recursive: true });
    // The worktree is back before the agent is started again: the old agent must not pass the gate.
    await until('the agent to be started again', async () => (await world.panePid('adam').catch(() => pid)) !== pid);
    world.write('gate', '', world.home);
    await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
    expect(await world.worker('adam')).toMatchObject({ crash_count: 0 });
    await world.ok('accept', 'adam');
    expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Finish it');
  });
});

test('a missing source: every command that needs it reports it, and all work continues when it is back', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'] });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Wait for it', '--wait', '--timeout', '90s');
  renameSync(world.source, `${world.source}-moved`);
  const before = snapshot(world.root);
  for (const args of [
    ['start', '--prompt', 'x'],
    ['review', 'adam'],
    ['accept', 'adam'],
    ['add', 'carol'],
  ]) {
    const error = await world.refused(args);
    expect({ args, ...error }).toMatchObject({ args, status: 2, code: 'SOURCE_MISSING' });
    expect(error.message).toContain(world.source);
  }
  expect((await world.status()).workers).toMatchObject([{ status: 'needs_review' }, { status: 'idle' }]);
  expect((await complaints(world)).source?.message).toContain('does not exist');
  expect(Object.keys(snapshot(world.root))).toEqual(Object.keys(before));

  renameSync(`${world.source}-moved`, world.source);
  await world.ok('accept', 'adam');
  expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Wait for it');
});

describe('a broken file', () => {
  test('config.toml: add, up and reset report file, line, column and what was expected', async () => {
    await using world = await llmcWorld({ stage: 'root', workers: ['adam'] });
    const file = join(world.root, 'config.toml');
    const good = readFileSync(file, 'utf8');
    const line = good.split('\n').length;
    writeFileSync(file, `${good}mood = "fine"\n`);
    for (const args of [['add', 'baker'], ['up'], ['up', '--detach'], ['reset', 'adam']]) {
      const error = await world.refused(args);
      expect({ args, ...error }).toMatchObject({ args, status: 2, code: 'CONFIG_INVALID' });
      expect(error.message).toContain(`config.toml:${line}:1: `);
      expect(error.message).toContain('mood');
    }
    expect((await complaints(world)).configuration?.message).toContain(`config.toml:${line}:1: `);
    expect((await world.status()).workers).toMatchObject([{ name: 'adam', status: 'offline' }]);

    writeFileSync(file, good.replace('[defaults]\n', '[defaults]\nskip_permissions = "sometimes"\n'));
    const { message } = await world.refused(['add', 'baker']);
    expect(message).toMatch(/config\.toml:\d+:20: .*skip_permissions.*(true|boolean)/);
    writeFileSync(file, good);
    expect(await world.status()).toMatchObject({ branch: 'main', problems: [], workers: [{ name: 'adam' }] });
  });

  test('config.toml: status still shows the workers, reports the error, and finds the default branch', async () => {
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

  test('config.toml while the supervisor runs: work continues, and commands report the error', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    const file = join(world.root, 'config.toml');
    const good = readFileSync(file, 'utf8');
    const pid = await world.panePid('adam');
    writeFileSync(file, '[repo\n');
    expect(await world.refused(['start', '--prompt', 'x'])).toMatchObject({ status: 2, code: 'CONFIG_INVALID' });
    const broken = await world.status();
    expect(broken.workers).toMatchObject([{ name: 'adam', status: 'idle' }]);
    expect(broken.problems).toEqual([expect.stringContaining('config.toml:1:')]);
    writeFileSync(file, good);
    await world.ok('start', '--prompt', 'Fine again', '--wait', '--timeout', '90s');
    expect(await world.panePid('adam')).toBe(pid);

    writeFileSync(file, '[repo\n');
    expect(await world.ok('down')).toContain('Stopped adam');
    await until('all processes to end', async () => world.processes().length === 0);
    expect((await world.status()).workers).toMatchObject([{ status: 'offline', status_before_offline: 'needs_review' }]);
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
    expect(await world.refused(['status'])).toMatchObject({
      code: 'ROOT_NOT_FOUND',
      message: expect.stringContaining('config.toml is missing'),
      hint: expect.stringContaining(`llmc init --target ${world.root}`),
    });
    expect((await complaints(world)).configuration).toMatchObject({ hint: expect.stringContaining(`llmc init --target ${world.root}`) });
    expect(await world.ok('init', '--target', world.root)).toContain('Wrote config.toml again');
    expect(await complaints(world)).toEqual({});
    await world.comeUp();
    expect(await world.worker('adam')).toMatchObject({ status: 'idle', agent: 'demo' });
  });

  test.for([
    { what: 'garbage', text: '{ "version": 1, "workers": {' },
    { what: 'valid JSON of another shape', text: '{ "version": 1, "workers": [] }' },
    { what: 'empty', text: '' },
  ])('state.json is $what: up takes the state from the journal and keeps the broken file', async ({ text }) => {
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
  });
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
    expect(shown.stdout).toContain('undelivered prompts are not shown – llmc up --detach');
    expect(await world.refused(['why', 'adam'])).toMatchObject({
      code: 'DATABASE_ERROR',
      hint: expect.stringMatching(/^llmc up --detach/),
    });
    expect((await complaints(world)).database).toMatchObject({
      message: expect.stringContaining('is damaged'),
      hint: expect.stringContaining('llmc up --detach'),
    });

    const { status, stderr } = await world.run(['up', '--detach']);
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

test('a killed supervisor leaves its agents running: up takes them over, and down ends them', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const pid = await world.panePid('adam');
  await world.killSupervisor();
  expect((await world.status()).supervisor.running).toBe(false);
  expect(await world.refused(['start', '--prompt', 'x'])).toMatchObject({ status: 2, code: 'SUPERVISOR_NOT_RUNNING' });
  expect(await world.ok('doctor')).toContain('1 running without a supervisor\n        → llmc up --detach');
  await world.comeUp();
  expect(await world.panePid('adam')).toBe(pid);
  await world.ok('start', '--prompt', 'After the fall', '--wait', '--timeout', '90s');

  // Do not wait for its end: the kernel still accepts connections on its socket for a moment.
  process.kill(await world.supervisorPid(), 'SIGKILL');
  await world.comeUp();
  expect(await world.panePid('adam')).toBe(pid);

  await world.killSupervisor();
  expect(await world.ok('down')).toContain('Stopped adam');
  await until('all processes to end', async () => world.processes().length === 0);
});

test('a supervisor stopped by Ctrl+Z: no command hangs, status reads from disk, and only down --force ends it', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const pid = (await world.status()).supervisor.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    const { status, stdout } = await world.run(['status']);
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining(`kill -CONT ${pid}`) });
    expect(await world.status()).toMatchObject({ supervisor: { running: true, pid }, workers: [{ name: 'adam', status: 'idle' }] });
    expect((await world.run(['why', 'adam'])).stderr).toContain('the following is from disk');
    for (const args of [['start', '--prompt', 'Never sent'], ['down']])
      expect(await world.refused(args)).toMatchObject({
        status: 2,
        code: 'SUPERVISOR_SILENT',
        hint: expect.stringContaining(`kill -CONT ${pid}`),
      });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await until('the supervisor to answer again', async () => (await world.status()).problems.length === 0);
  expect(await world.worker('adam')).toMatchObject({ status: 'idle', delivery: null });

  process.kill(pid, 'SIGSTOP');
  expect(await world.ok('down', '--force')).toContain('Stopped adam');
  await until('all processes to end', async () => world.processes().length === 0);
});

test('nuke saves the work first, with its uncommitted files, and rescue restores it', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'] });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Precious work', '--wait', '--timeout', '90s');
  world.write('loose.txt', 'not committed\n', world.worktree('adam'));
  expect(await world.ok('nuke', 'adam')).toMatch(/Removed adam\. Its work is saved: llmc rescue show adam\//);
  expect((await world.status()).workers.map(({ name }) => name)).toEqual(['baker']);
  expect(existsSync(world.worktree('adam'))).toBe(false);
  expect(readFileSync(join(world.root, 'config.toml'), 'utf8')).not.toMatch(/^\[workers\.adam\]/m);
  expect(await world.gitIn(world.root, 'branch', '--list', 'llmc/adam')).toBe('');

  const shown = await world.ok('rescue', 'show', 'adam');
  expect(shown).toContain('Precious work');
  expect(shown).toContain('loose.txt');
  await world.ok('rescue', 'restore', 'adam', '--into', 'baker');
  expect(readFileSync(join(world.worktree('baker'), 'loose.txt'), 'utf8')).toBe('not committed\n');
  expect(readFileSync(join(world.worktree('baker'), 'llmc-demo/adam.md'), 'utf8')).toContain('Precious work');
  expect(await world.worker('baker')).toMatchObject({
    status: 'needs_review',
    attention: expect.stringContaining('uncommitted changes besides the commit'),
  });
});
