import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commitsOf, deliveriesOf } from '../support/agent-side.ts';
import type { World } from '../support/world.ts';
import { openCodeWorld, program } from './opencode-world.ts';

const COMMIT = 'echo hello > sea.txt && git add --all && git commit --quiet -m "About the sea"';

/** Only one task: a real program takes a minute on a slow machine. test/live covers the rest with a declared demo agent. */
describe.skipIf(program === undefined)('the real OpenCode, declared by a command and six patterns', () => {
  test('gets a task once and asks before a command; llmc tells the person, and after the permission the work waits for review', async () => {
    await using open = await openCodeWorld();
    const { world, api } = open;
    await open.add('adam');
    api.script('adam', { bash: COMMIT }, { text: 'Done.' });
    // A slow machine may exceed the timeout. The ledger shows at the end that the prompt was acknowledged.
    const { status, stderr } = await world.run(['start', '--worker', 'adam', '--prompt', 'Write about the sea', '--timeout', '1s']);
    expect([0, 3], stderr).toContain(status);
    await open.becomes('adam', 'needs_input');
    expect(await world.worker('adam')).toMatchObject({
      activity: { kind: 'awaiting_question' },
      attention: 'It asks: △ Permission required. Answer it there: llmc attach adam',
    });
    expect(await commitsOf(world, 'adam')).toEqual([]);

    await allow(world, 'adam');
    await open.becomes('adam', 'needs_review');
    expect(await commitsOf(world, 'adam')).toEqual(['About the sea']);
    expect(api.received('adam')).toEqual([expect.stringMatching(/^You are working in: [\s\S]*\n## Task\n\nWrite about the sea$/)]);
    expect(deliveriesOf(world, 'adam')).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'screen' }]);
  });
});

/** Presses Enter as a person would: the first choice is "Allow once". */
async function allow(world: World, worker: string): Promise<void> {
  const socket = join(world.root, 'run', 'tmux.sock');
  await promisify(execFile)('tmux', ['-N', '-S', socket, 'send-keys', '-t', `=llmc-${worker}:`, 'Enter'], { env: world.env });
}
