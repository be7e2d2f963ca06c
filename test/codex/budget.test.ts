import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const commits = (message: string): Step => ({
  kind: 'tool',
  name: 'exec_command',
  input: { cmd: `echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"` },
});

/** Each answer of the scripted API costs 120 tokens, and a task takes two. */
const BUDGET = 200;

function raise(world: CodexWorld, tokens: number): void {
  const file = join(world.root, 'config.toml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^tokens_per_day = .*$/m, `tokens_per_day = ${tokens}`));
}

/** Books the used tokens under another day, as midnight would. */
function endTheDay(world: CodexWorld): void {
  using database = new DatabaseSync(join(world.root, 'llmc.db'), { timeout: 60_000 });
  database.exec("UPDATE usage_days SET day = '2000-01-01'");
}

/** Queues a task, and waits until llmc names the budget as the reason. */
async function waitsInQueue(world: CodexWorld, worker: string, prompt: string): Promise<void> {
  const output = join(world.dir, `output for ${worker}`);
  await world.shell(`"$@" start --worker ${worker} --prompt '${prompt}' --queue --wait >'${output}' 2>&1 &`);
  await world.until(`${prompt} to wait in the queue`, () => readFileSync(output, 'utf8').includes('waits: the workers have used'));
}

/** From the queue to the end of a task: with ten times the load, two minutes were not enough. */
const isDone = (world: CodexWorld, worker: string) =>
  world.until(`${worker} to be done`, async () => (await world.worker(worker)).status === 'needs_review', 240_000);

const used = (world: CodexWorld) => world.rows(z.object({ tokens: z.number() }), 'SELECT sum(tokens) AS tokens FROM usage_days')[0]?.tokens;
const tasks = (world: CodexWorld, worker: string) => world.received(worker).map((text) => text.replace(/.*\n## Task\n\n/s, ''));

describe.skipIf(program === undefined)('a budget of tokens and the real Codex', () => {
  test('stops new tasks when it is used up, and starts the queued ones on the next day or when it is raised', async () => {
    await using world = await codexWorld({ workers: ['adam', 'baker', 'eve'], config: `[budget]\ntokens_per_day = ${BUDGET}` });
    for (const name of ['adam', 'baker', 'eve']) world.script(name, commits(`By ${name}`), OVER);
    expect((await world.status()).budget).toBeNull();
    await world.ok('start', '--worker', 'adam', '--prompt', 'Use it up');
    // The budget does not stop work in progress.
    await world.reaches('adam', 'needs_review');
    await world.until('the budget to be used up', async () => (await world.status()).budget !== null);
    expect(used(world)).toBe(240);

    const reason = 'the workers have used 240 tokens today, and the budget is 200 (tokens_per_day)';
    expect((await world.status()).budget).toBe(reason);
    const next = 'raise it under [budget] in config.toml, or put a task in the queue: llmc start --queue';
    expect(await world.ok('status')).toContain(`no new tasks today: ${reason} (${next})`);
    expect(await world.ok('why', 'baker')).toContain(`no new tasks today: ${reason} (${next})`);
    expect(await world.ok('logs')).toContain(`no new tasks today: ${reason}`);
    for (const whom of [[], ['--worker', 'baker']]) {
      const refusal = await world.refused(['start', ...whom, '--prompt', 'Not today']);
      expect(refusal).toMatchObject({
        status: 2,
        code: 'BUDGET_SPENT',
        message: reason,
        hint: expect.stringContaining('llmc start --queue'),
      });
    }
    expect([tasks(world, 'baker'), tasks(world, 'eve')]).toEqual([[], []]);

    await waitsInQueue(world, 'baker', 'Tomorrow');
    expect(await world.worker('baker')).toMatchObject({ status: 'idle', current_prompt: null });
    endTheDay(world);
    await isDone(world, 'baker');
    await world.until('the next budget to be used up', async () => (await world.status()).budget !== null);
    expect(used(world)).toBe(480);

    await waitsInQueue(world, 'eve', 'With more');
    raise(world, 10_000);
    await isDone(world, 'eve');
    expect((await world.status()).budget).toBeNull();
    expect(['adam', 'baker', 'eve'].flatMap((name) => tasks(world, name))).toEqual(['Use it up', 'Tomorrow', 'With more']);
  });
});
