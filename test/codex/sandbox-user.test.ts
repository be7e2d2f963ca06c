import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { giveFile, installForAll } from '../support/for-all-users.ts';
import { scratchUser, userTest } from '../support/scratch-user.ts';
import { codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const exec = (cmd: string): Step => ({ kind: 'tool', name: 'exec_command', input: { cmd } });
const commits = (message: string): Step => exec(`echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`);

describe.skipIf(program === undefined)('the real Codex as a user of its own', () => {
  userTest('does a whole task on the keyboard channel, and goes on in its conversation after a restart', async () => {
    using user = scratchUser();
    const config = `[sandbox]\nkind = "user"\nuser = "${user.name}"\n`;
    await using world = await codexWorld({ workers: ['adam'], config, stage: 'root' });
    installForAll(world, program ?? '');
    giveFile(user, join(world.isolated.codexHome, 'config.toml'), '.codex/config.toml');
    await world.up();

    const reach = `touch ${join(world.source, 'canary')} ${join(world.root, 'state.json')}x; ls ${world.root}`;
    world.script('adam', exec(reach), commits('Add the sea'), OVER, commits('Add the wind'), OVER);
    await world.ok('start', '--worker', 'adam', '--prompt', 'Write about the sea');
    await world.reaches('adam', 'needs_review');
    expect(await world.ok('review', 'adam')).toContain('+Add the sea');
    expect([join(world.source, 'canary'), `${join(world.root, 'state.json')}x`].filter((path) => existsSync(path))).toEqual([]);
    expect(globSync(join(user.home, '.codex/sessions/**/*.jsonl'))).toHaveLength(1);
    await world.until('its tokens to be recorded', async () => /used \d+ tokens in, \d+ out/.test(await world.ok('why', 'adam')));

    await world.ok('down');
    expect(user.processes()).toEqual([]);
    await world.up();
    await world.ok('reject', '--worker', 'adam', 'Write about the wind too');
    await world.reaches('adam', 'needs_review');
    expect(JSON.stringify(world.requests('adam').at(-1)?.body)).toContain('Write about the sea');
    await world.ok('review', 'adam');
    await world.ok('accept', 'adam');
    expect(await world.git('show', 'main:notes.txt')).toBe('Add the sea\nAdd the wind');
  });
});
