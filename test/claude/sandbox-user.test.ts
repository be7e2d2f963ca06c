import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { giveFile, installForAll } from '../support/for-all-users.ts';
import { scratchUser, userTest } from '../support/scratch-user.ts';
import type { Step } from './api-steps.ts';
import { claudeWorld, program } from './llmc-world.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const bash = (command: string): Step => ({ kind: 'tool', name: 'Bash', input: { command, description: 'Work' } });
const commits = (message: string): Step => bash(`echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`);

describe.skipIf(program === undefined)('the real Claude Code as a user of its own', () => {
  userTest('does a whole task, reports it, and goes on in its conversation after a restart', async () => {
    using user = scratchUser();
    const config = `[sandbox]\nkind = "user"\nuser = "${user.name}"\n`;
    await using world = await claudeWorld({ workers: ['adam'], config, env: { CLAUDE_CODE_TMPDIR: '/tmp' }, stage: 'root' });
    installForAll(world, program ?? '');
    // As after the first start that a person makes as that user.
    giveFile(user, join(world.isolated.configDir, '.claude.json'), '.claude.json');
    await world.up();

    const reach = `touch ${join(world.source, 'canary')} ${join(world.home, 'canary')} ${join(world.root, 'state.json')}x; ls ${world.root}`;
    world.script('adam', bash(reach), commits('Add the sea'), OVER, commits('Add the wind'), OVER);
    await world.ok('start', '--worker', 'adam', '--prompt', 'Write about the sea');
    await world.reaches('adam', 'needs_review');
    expect(world.deliveries('adam')).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'hook' }]);
    expect(await world.ok('review', 'adam')).toContain('+Add the sea');
    expect([world.source, world.home].filter((folder) => existsSync(join(folder, 'canary')))).toEqual([]);
    expect(existsSync(`${join(world.root, 'state.json')}x`)).toBe(false);
    // Its conversation, its status and its tokens are found in the home of the user.
    expect(globSync(join(user.home, '.claude/projects/*/*.jsonl'))).toHaveLength(1);
    await world.until('its tokens to be recorded', async () => /used \d+ tokens in, \d+ out/.test(await world.ok('why', 'adam')));
    expect(await world.ok('why', 'adam', '--full')).toMatch(/status file/i);

    await world.ok('down');
    expect(user.processes()).toEqual([]);
    await world.up();
    await world.ok('reject', '--worker', 'adam', 'Write about the wind too');
    await world.reaches('adam', 'needs_review');
    expect(JSON.stringify(world.requests('adam').at(-1)?.body.messages)).toContain('Write about the sea');
    await world.ok('review', 'adam');
    await world.ok('accept', 'adam');
    expect(await world.git('show', 'main:notes.txt')).toBe('Add the sea\nAdd the wind');
  });
});
