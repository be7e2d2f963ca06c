import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { complaints } from '../support/complaints.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { snapshot } from '../support/snapshot.ts';
import { llmcWorld, type World } from '../support/world.ts';

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

  const tmuxes = [
    { what: 'no tmux', tmux: undefined, code: 'TMUX_NOT_FOUND', says: 'not installed' },
    { what: 'an old tmux', tmux: 'echo tmux 3.1c', code: 'TMUX_TOO_OLD', says: '3.1c' },
  ];
  // An old git is above, and the versions of tmux are compared in src/terminal in each run.
  test.for(rowsOfThisRun(tmuxes, ({ what }) => what === 'no tmux'))(
    '$what: up reports it in the foreground and in the background, and so does doctor',
    async ({ tmux, code, says }) => {
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
    },
  );

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

  test('an agent that exits at its start: why shows its last screen, and so does the file it names', async () => {
    await using world = await llmcWorld({ stage: 'root', workers: ['adam'], config: '[agents.demo]\ncommand = "broken-agent"' });
    const { PATH: folder } = onlyThese(world, 'bin', { 'broken-agent': 'echo "broken-agent: cannot find the licence file" >&2; exit 1' });
    const env = { PATH: `${folder}:${world.env.PATH}` };
    await world.run(['up', '--detach'], { env });
    await world.ok('wait', 'adam', '--for', 'error', '--timeout', '90s');
    const why = await world.ok('why', 'adam');
    expect(why).toMatch(/^adam has failed, since .*\n.*\n→ The agent ended 3 times in a row\. Its last screen: llmc why adam, and in \S+;/);
    const [, saved = ''] = /Its last screen: llmc why adam, and in (\S+);/.exec(why) ?? [];
    expect(readFileSync(saved, 'utf8')).toContain('broken-agent: cannot find the licence file');
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
    writeFileSync(join(world.root, '.worktrees/adam'), '');
    const before = snapshot(world.root);
    expect(await world.refused(['add', 'adam'])).toMatchObject({ status: 2, code: 'GIT_WORKTREE_FAILED' });
    // Empty directories of the clone, which its first use makes.
    const { [join(world.root, '.git/worktrees')]: _, [join(world.root, '.git/rr-cache')]: __, ...after } = snapshot(world.root);
    expect(after).toEqual(before);
  });
});
