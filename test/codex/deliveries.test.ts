import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { oddPrompts } from '../claude/odd-prompts.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';

/** `npm run test:full` sends 200. */
const COUNT = Number(process.env['LLMC_DELIVERIES'] ?? 40);
const SEED = Number(process.env['LLMC_SEED'] ?? 1);
const WORKERS = ['adam', 'eve'];

describe.skipIf(program === undefined)(`${COUNT} prompts for the real Codex (LLMC_SEED=${SEED})`, () => {
  test('each arrives once, in order, byte for byte, and none is run as a command', { timeout: 300_000 + COUNT * 10_000 }, async () => {
    await using world = await codexWorld({ workers: WORKERS });
    const canary = join(world.dir, 'canary');
    const prompts = oddPrompts(SEED, COUNT, canary);
    const shares = WORKERS.map((worker, nth) => ({ worker, share: prompts.filter((_, at) => at % WORKERS.length === nth) }));
    await Promise.all(shares.map(({ worker, share }) => sendAll(world, worker, share)));
    for (const { worker, share } of shares) {
      const over = () => world.deliveries(worker).every(({ state }) => /done|failed/.test(state));
      await world.until(`${share.length} turns of ${worker}`, over, 120_000 + share.length * 10_000);
      const rows = world.deliveries(worker);
      const unlike = rows.filter(({ ack_source, attempt, changes }) => ack_source !== 'protocol' || attempt !== 1 || changes.length > 0);
      expect(unlike, await world.story(worker)).toEqual([]);
      const [first = '', ...rest] = world.received(worker);
      expect([first.replace(/^.*?\n## Task\n\n/s, ''), ...rest]).toEqual(share);
      expect(world.incarnation(worker)).toBe(1);
    }
    expect(existsSync(canary)).toBe(false);
  });
});

/** Sends every prompt through standard input, which has no length limit. */
async function sendAll(world: CodexWorld, worker: string, [first = '', ...rest]: readonly string[]): Promise<void> {
  world.write(`${worker}.txt`, first, world.dir);
  await world.ok('start', '--worker', worker, '--prompt-file', join(world.dir, `${worker}.txt`));
  for (const text of rest) {
    const { status, stderr } = await world.run(['message', worker, '-'], { stdin: text });
    if (status !== 0) throw new Error(`llmc message ${worker} ${JSON.stringify(text)}: ${stderr}\n${await world.story(worker)}`);
  }
}
