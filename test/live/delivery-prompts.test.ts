import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BY_AGENT, crowd, deliveriesOf, promptsGiven, reaches } from '../support/agent-side.ts';
import type { World } from '../support/world.ts';

const QUICK = 'turns: [{ when: "", steps: [{ say: Read. }] }]';

/** The text that a person writes, and the text that the agent gets if it differs. */
const ODD: readonly (readonly [text: string, arrives?: string])[] = [
  ['!touch owned', 'Message:\n!touch owned'],
  ['/clear', 'Message:\n/clear'],
  ['/word and more', 'Message:\n/word and more'],
  ['/tmp/file is a path'],
  ['exit', 'Message:\nexit'],
  [' quit', 'Message:\n quit'],
  ['ends with a backslash\\', 'ends with a backslash\\ '],
  ['$(touch owned) `touch owned`; touch owned'],
  ['"quoted" \'both\' ways; and #{pane_pid} %1 ~'],
  ['# a heading\n\n@file and & more'],
  ['漢字 и 🎉👩‍👩‍👧 ñ'],
  ['a tab\there'],
  ['ends with a semicolon;'],
  ['an escape \u001b[201~ and a bell \u0007', 'an escape [201~ and a bell '],
  ['1'],
  ['-n --now'],
];
const WORKERS = ['alpha', 'beta', 'gamma', 'delta'];

describe('an odd prompt', () => {
  let world: World;
  let pids: readonly number[];

  beforeAll(async () => {
    world = await crowd(Object.fromEntries([...WORKERS, 'large'].map((worker) => [worker, QUICK])));
    await Promise.all(WORKERS.map((worker) => reaches(world, worker, 'idle')));
    pids = await Promise.all(WORKERS.map((worker) => world.panePid(worker)));
    await Promise.all(
      WORKERS.map(async (worker, lane) => {
        for (const [text] of ODD.filter((_, index) => index % WORKERS.length === lane)) {
          expect(await world.run(['message', worker, '-'], { stdin: text })).toMatchObject({ status: 0 });
          await reaches(world, worker, 'needs_input');
        }
      }),
    );
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.for(ODD.map(([text, arrives], index) => ({ text, arrives: arrives ?? text, worker: WORKERS[index % WORKERS.length] ?? '', index })))(
    'arrives once and is not interpreted: $text',
    ({ text, arrives, worker, index }) => {
      const place = Math.floor(index / WORKERS.length);
      expect(promptsGiven(world, worker)[place]).toBe(arrives);
      const row = deliveriesOf(world, worker)[place];
      expect(row).toMatchObject({ text, sent_text: arrives, state: 'done', attempt: 1, ack_source: BY_AGENT });
      expect(z.array(z.string()).parse(JSON.parse(row?.changes ?? ''))).toHaveLength(text === arrives ? 0 : 1);
    },
  );

  test('leaves the agent unchanged: no command ran, no conversation was cleared, no agent exited', async () => {
    expect(await Promise.all(WORKERS.map((worker) => world.panePid(worker)))).toEqual(pids);
    for (const [lane, worker] of WORKERS.entries()) {
      expect(promptsGiven(world, worker)).toHaveLength(ODD.filter((_, index) => index % WORKERS.length === lane).length);
      expect(existsSync(join(world.worktree(worker), 'owned'))).toBe(false);
    }
  });

  test('of 256 KB goes through the box, byte for byte', async () => {
    const text = Array.from({ length: 4_096 }, (_, line) => `${`line ${line} `.padEnd(63, 'x')}\n`)
      .join('')
      .trimEnd();
    expect(await world.run(['message', 'large', '-'], { stdin: text })).toMatchObject({ status: 0 });
    await reaches(world, 'large', 'needs_input');
    expect(promptsGiven(world, 'large')).toEqual([text]);
    expect(deliveriesOf(world, 'large')).toMatchObject([{ changes: '[]', attempt: 1, ack_source: BY_AGENT }]);
  });

  test('that is larger arrives as a private file, with a prompt to read it', async () => {
    const text = `${'漢字 and more\n'.repeat(20_000)}the end`;
    expect(await world.run(['message', 'large', '-'], { stdin: text })).toMatchObject({ status: 0 });
    await reaches(world, 'large', 'needs_input');
    expect(promptsGiven(world, 'large')).toHaveLength(2);
    const row = deliveriesOf(world, 'large').at(-1);
    expect(row).toMatchObject({ text, state: 'done', attempt: 1 });
    const [, path = ''] = /file (\S+) because/.exec(promptsGiven(world, 'large').at(-1) ?? '') ?? [];
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(row?.changes).toContain(path);
    expect(await world.gitIn(world.worktree('large'), 'status', '--porcelain')).toBe('');
  });
});
