import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { walledTest } from '../support/walled-test.ts';
import type { Step } from './api-steps.ts';
import { claudeWorld, program } from './llmc-world.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const bash = (command: string): Step => ({ kind: 'tool', name: 'Bash', input: { command, description: 'Work' } });
const commits = (message: string): Step => bash(`echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`);

describe.skipIf(program === undefined)('the real Claude Code behind the wall of init --hardened', () => {
  walledTest('does a whole task, reports it, and goes on in its conversation after a restart', async () => {
    await using world = await claudeWorld({ workers: ['adam'], hardened: true });
    const reach = `touch ${join(world.source, 'canary')} ${join(world.home, 'canary')} ${join(world.root, 'state.json')}x; ls ${world.root}/run ${world.root}`;
    world.script('adam', bash(reach), commits('Add the sea'), OVER, commits('Add the wind'), OVER);
    await world.ok('start', '--worker', 'adam', '--prompt', 'Write about the sea');
    await world.reaches('adam', 'needs_review');
    expect(world.deliveries('adam')).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'hook' }]);
    expect(await world.ok('review', 'adam')).toContain('+Add the sea');
    // What the agent writes in the place of these folders is in its own memory.
    expect([world.source, world.home, world.root].filter((folder) => existsSync(join(folder, 'canary')))).toEqual([]);
    expect(existsSync(`${join(world.root, 'state.json')}x`)).toBe(false);
    // Its conversation, its status and its tokens are found in its own folder.
    const own = join(world.root, 'sandbox/adam/agent');
    expect(globSync(join(own, 'projects/*/*.jsonl'))).toHaveLength(1);
    await world.until('its tokens to be recorded', async () => /used \d+ tokens in, \d+ out/.test(await world.ok('why', 'adam')));
    expect(await world.ok('why', 'adam', '--full')).toMatch(/status file/i);
    expect(globSync(join(world.isolated.configDir, 'projects/*'))).toEqual([]);

    await world.ok('down');
    await world.up();
    await world.ok('reject', '--worker', 'adam', 'Write about the wind too');
    await world.reaches('adam', 'needs_review');
    expect(JSON.stringify(world.requests('adam').at(-1)?.body.messages)).toContain('Write about the sea');
    await world.ok('review', 'adam');
    await world.ok('accept', 'adam');
    expect(await world.git('show', 'main:notes.txt')).toBe('Add the sea\nAdd the wind');
  });
});
