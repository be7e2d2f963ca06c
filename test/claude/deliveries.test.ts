import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DeliveryRow, PATIENT } from '../support/agent-world.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';
import { oddPrompts } from './odd-prompts.ts';

/** `npm run test:full` sends 200. */
const COUNT = Number(process.env['LLMC_DELIVERIES'] ?? 40);
const SEED = Number(process.env['LLMC_SEED'] ?? 1);
const WIDTHS = [80, 220];
const WORKERS = ['adam', 'eve'];
/** An argument on the command line is limited to 128 KB: shorter prompts go there, longer ones through standard input. */
const LONGEST_ARGUMENT = 2_000;

describe.skipIf(program === undefined)(`${COUNT} prompts for the real Claude Code (LLMC_SEED=${SEED})`, () => {
  test.concurrent.for(WIDTHS.map((width, index) => [width, index] as const))(
    'at %i columns each arrives once, as documented, and none is run as a command',
    { timeout: 300_000 + COUNT * 10_000 },
    async ([width, index]) => {
      await using world = await claudeWorld({ workers: WORKERS, width, config: PATIENT });
      const canary = join(world.dir, 'canary');
      const prompts = oddPrompts(SEED + index, COUNT / WIDTHS.length, canary);
      const shares = WORKERS.map((worker, nth) => ({ worker, share: prompts.filter((_, at) => at % WORKERS.length === nth) }));
      const born = await Promise.all(shares.map(({ worker, share }) => sendAll(world, worker, share)));
      for (const [nth, { worker, share }] of shares.entries()) {
        const over = () => world.deliveries(worker).every(({ state }) => /done|failed/.test(state));
        await world.until(`${share.length} turns of ${worker}`, over, 120_000 + share.length * 10_000);
        const rows = world.deliveries(worker);
        const unlike = rows.filter(({ ack_source, attempt, state }) => ack_source !== 'hook' || attempt !== 1 || state !== 'done');
        expect(unlike, await world.story(worker)).toEqual([]);
        expect(arrived(world.received(worker), rows)).toEqual(share.map(documented));
        expect(world.incarnation(worker)).toBe(born[nth]);
        const session = z.object({ name: z.string() });
        expect(world.rows(session, "SELECT name FROM events WHERE worker = ? AND name LIKE 'Session%'", worker)).toEqual([
          { name: 'SessionStart' },
        ]);
      }
      expect(existsSync(canary)).toBe(false);
    },
  );
});

/** Returns the incarnation that got the first prompt: a Claude Code may end at its trust dialog before, and starts again. */
async function sendAll(world: ClaudeWorld, worker: string, [first = '', ...rest]: readonly string[]): Promise<number> {
  world.write(`${worker}.txt`, first, world.dir);
  await world.ok('start', '--worker', worker, '--prompt-file', join(world.dir, `${worker}.txt`));
  const incarnation = world.incarnation(worker);
  for (const text of rest) {
    const inline = text.length < LONGEST_ARGUMENT && !text.startsWith('-');
    const { status, stderr } = await world.run(['message', worker, inline ? text : '-'], inline ? {} : { stdin: text });
    if (status !== 0) throw new Error(`llmc message ${worker} ${JSON.stringify(text)}: ${stderr}\n${await world.story(worker)}`);
  }
  return incarnation;
}

/** Typed text as docs/delivery.md describes it: line breaks are \n, and blanks at the end are removed. */
function documented(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}

/** The prompts that the API received, without their wrapper and with files read, in the order of the ledger. */
function arrived(received: readonly string[], rows: readonly DeliveryRow[]): readonly string[] {
  return received.map((text, index) => {
    const file = /^Your instructions are in the file (\S+) /.exec(text)?.[1];
    const whole = file === undefined ? text.replace(/^Message:\n(?=\s*(?:[!/:]|exit|quit))/i, '') : readFileSync(file, 'utf8');
    return documented(rows[index]?.purpose === 'task' ? whole.replace(/^.*?\n## Task\n\n/s, '') : whole);
  });
}
