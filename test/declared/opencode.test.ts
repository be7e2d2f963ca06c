import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CONTINUE_PROMPT } from '../../src/workers/prompts.ts';
import { commitsOf, deliveriesOf, historyOf } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';
import { type OpenCodeWorld, openCodeWorld, program } from './opencode-world.ts';

const commit = (file: string, subject: string) => ({ bash: `echo hello > ${file} && git add --all && git commit --quiet -m "${subject}"` });

describe.skipIf(program === undefined)('the real OpenCode, declared by a command and six patterns', () => {
  let open: OpenCodeWorld;

  beforeAll(async () => {
    open = await openCodeWorld();
  });
  afterAll(() => open[Symbol.asyncDispose]());

  test('does a task, a second prompt in the same conversation, and another task in a new one', async () => {
    const { world, api } = open;
    await open.add('adam', 'opencode');
    api.script(commit('sea.txt', 'About the sea'), { text: 'Done.' });
    await world.ok('start', '--worker', 'adam', '--prompt', 'Write about the sea', '--timeout', '50s');
    await open.becomes('adam', 'needs_review');
    expect(api.received()).toEqual([expect.stringMatching(/^You are working in: [\s\S]*\n## Task\n\nWrite about the sea$/)]);
    expect(await commitsOf(world, 'adam')).toEqual(['About the sea']);

    api.script(commit('wind.txt', 'About the wind'), { text: 'Done.' });
    await world.ok('message', 'adam', 'And about the wind');
    await open.becomes('adam', 'needs_review');
    expect(api.received().slice(1)).toEqual(['And about the wind']);
    expect(api.promptsInConversation()).toBe(2);
    expect(await commitsOf(world, 'adam')).toEqual(['About the sea', 'About the wind']);

    await world.ok('accept', 'adam');
    expect(await world.git('log', '-1', '--format=%s')).toBe('About the sea');
    api.script(commit('rain.txt', 'About the rain'), { text: 'Done.' });
    await world.ok('start', '--worker', 'adam', '--prompt', 'Write about the rain', '--timeout', '55s');
    await open.becomes('adam', 'needs_review');
    expect(api.received().slice(2)).toEqual([expect.stringContaining('Write about the rain')]);
    expect(api.promptsInConversation()).toBe(1);
    expect(deliveriesOf(world, 'adam')).toMatchObject(Array(3).fill({ state: 'done', attempt: 1, ack_source: 'screen' }));
  });

  test('asks before a command: the person is told, a prompt is held meanwhile, and both go on once it is allowed', async () => {
    const { world, api } = open;
    const before = api.received().length;
    await open.add('careful', 'asking');
    api.script(commit('snow.txt', 'About the snow'), { text: 'Done.' });
    await world.ok('start', '--worker', 'careful', '--prompt', 'Write about the snow', '--timeout', '50s');
    await open.becomes('careful', 'needs_input');
    expect(await world.worker('careful')).toMatchObject({
      activity: { kind: 'awaiting_question' },
      attention: 'It asks: △ Permission required. Answer it there: llmc attach careful',
    });
    expect(await world.ok('message', 'careful', 'Reject it, I say')).toContain('a dialog is open: △ Permission required');
    expect(await commitsOf(world, 'careful')).toEqual([]);

    await allow(world, 'careful');
    await until('the message to arrive', async () => api.received().length === before + 2, 150_000);
    await open.becomes('careful', 'needs_review');
    expect(api.received().slice(before)).toEqual([expect.stringContaining('Write about the snow'), 'Reject it, I say']);
    expect(await commitsOf(world, 'careful')).toEqual(['About the snow']);
  });

  test('reports by a plugin: its prompts and turns are heard of, and a killed one takes its conversation up again', async () => {
    const { world, api } = open;
    const before = api.received().length;
    await open.add('herald', 'reporting');
    const pause = Promise.withResolvers<void>();
    api.script({ text: 'I think.', after: pause.promise });
    await world.ok('start', '--worker', 'herald', '--prompt', 'Write about the fog', '--timeout', '50s');
    await until('the API to have it', async () => api.received().length === before + 1, 150_000);

    api.script(commit('fog.txt', 'About the fog'), { text: 'Done.' });
    process.kill(await world.panePid('herald'), 'SIGKILL');
    pause.resolve();
    await open.becomes('herald', 'needs_review');
    expect(api.received().slice(before)).toEqual([expect.stringContaining('Write about the fog'), CONTINUE_PROMPT]);
    expect(api.promptsInConversation()).toBe(2);
    expect(historyOf(world, 'herald', 'launch').at(-1)?.summary).toContain('taking up its conversation again');
    expect(deliveriesOf(world, 'herald')).toMatchObject(Array(2).fill({ state: 'done', attempt: 1 }));
    // Which witness comes first is a matter of the machine; both are there.
    const events = world.rows(z.object({ name: z.string() }), "SELECT name FROM events WHERE worker = 'herald' ORDER BY seq");
    expect(events.map(({ name }) => name)).toEqual(['session_start', 'prompt_submit', 'session_start', 'prompt_submit', 'stop']);
    expect(await commitsOf(world, 'herald')).toEqual(['About the fog']);
  });
});

/** As a person does in that terminal: the first choice is "Allow once". */
async function allow(world: World, worker: string): Promise<void> {
  const socket = join(world.root, 'run', 'tmux.sock');
  await promisify(execFile)('tmux', ['-N', '-S', socket, 'send-keys', '-t', `=llmc-${worker}:`, 'Enter'], { env: world.env });
}
