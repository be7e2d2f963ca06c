import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Step as ClaudeStep } from '../claude/api-steps.ts';
import { IsolatedClaude } from '../claude/isolated.ts';
import { program as claude } from '../claude/llmc-world.ts';
import { ScriptedApi } from '../claude/scripted-api.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { type CodexWorld, program as codex, codexWorld } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const HALF: ClaudeStep = { kind: 'tool', name: 'Bash', input: { command: 'echo half > sea.txt', description: 'Begin' } };
const OVERLOADED: ClaudeStep = { kind: 'error', status: 529, type: 'overloaded_error', message: 'Overloaded' };

/** A subscriber's limit of five hours, which ends in three. */
function limit(): ClaudeStep {
  const claim = 'anthropic-ratelimit-unified';
  const reset = String(Math.floor(Date.now() / 1_000) + 3 * 3_600);
  const headers = {
    [`${claim}-status`]: 'rejected',
    [`${claim}-reset`]: reset,
    'retry-after': '60',
    [`${claim}-representative-claim`]: 'five_hour',
    [`${claim}-5h-status`]: 'rejected',
    [`${claim}-5h-reset`]: reset,
  };
  return { kind: 'error', status: 429, type: 'rate_limit_error', message: 'Too much.', headers };
}

const exec = (cmd: string) => ({ kind: 'tool', name: 'exec_command', input: { cmd } }) satisfies Step;
const READS = exec('cat sea.txt .llmc-task/in/handoff.md');
/** Codex has read what was left for it, and finishes the work. */
const FINISHES: readonly Step[] = [
  exec('echo whole >> sea.txt && git add sea.txt && git commit -qm "Add the sea"'),
  { kind: 'text', text: 'Done.' },
];

// Short waits: their figures are rows of src/recovery/strategies.test.ts.
const CONFIG = '[workflow]\nrecovery_cooldown_ms = 100\n[workflow.retry.service]\ndelay_ms = 100\n';

describe.skipIf(claude === undefined || codex === undefined)('Codex as the fallback of Claude Code', () => {
  let api: ScriptedApi;
  let homes: readonly IsolatedClaude[] = [];
  let world: CodexWorld;
  beforeAll(async () => {
    api = await ScriptedApi.start();
    world = await codexWorld({ workers: ['cora', 'cleo', 'carl'], stage: 'root', config: CONFIG });
    // One retry of its own: by default it tries for three minutes.
    const busy = await IsolatedClaude.create({ baseUrl: api.urlFor('busy'), trusted: [], env: { CLAUDE_CODE_MAX_RETRIES: '1' } });
    const full = await IsolatedClaude.create({ baseUrl: api.urlFor('full'), trusted: [], oauth: true });
    homes = [busy, full];
    addClaude('busy', busy);
    addClaude('full', full);
    await world.up();
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    for (const each of [api, ...homes]) await each[Symbol.asyncDispose]();
  });

  function addClaude(name: string, home: IsolatedClaude): void {
    const { PATH: _, TERM: __, HOME: ___, ...env } = home.env;
    const table = Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    const lines = [`[agents.${name}]`, 'extends = "claude"', `command = ${JSON.stringify(claude)}`, `account = "${name}"`];
    appendFileSync(join(world.root, 'config.toml'), `\n${lines.join('\n')}\nenv = { ${table.join(', ')} }\n`);
  }

  async function play(name: string, agent: string, fallback: string): Promise<void> {
    const roles = `roles: { developer: { agent: ${agent}, fallback: codex-${fallback} } }`;
    const stages = '  - { id: develop, role: developer, prompt: Write about the sea }';
    world.write(`${name}.yaml`, `name: ${name}\n${roles}\nstages:\n${stages}\n`, world.dir);
    const { stdout, stderr } = await world.run(['run', `./${name}.yaml`, '--json']);
    const view = z.object({ status: z.string(), questions: z.array(z.object({ text: z.string() })) });
    expect(view.parse(JSON.parse(stdout)), stderr).toEqual({ status: 'done', questions: [] });
  }

  const codes = (run: string) =>
    world.rows(z.object({ code: z.string() }), 'SELECT code FROM error_log WHERE run = ? ORDER BY rowid', run).map(({ code }) => code);
  const content = async (run: string) => await world.gitIn(world.root, 'show', `refs/llmc/runs/${run}/develop:sea.txt`);
  const sessions = async () => await world.tmux('list-sessions', '-F', '#S');

  // In each run test/codex/takes-over.test.ts has Codex continue in a dirty worktree of Claude Code, and test/live/fallback.test.ts two tries before the fallback.
  testOfFullRun('after 529s in two turns, Codex finishes the task in the same worktree', async () => {
    api.script('busy', HALF, ...Array.from({ length: 8 }, () => OVERLOADED));
    world.script('cora', READS, ...FINISHES);
    await play('busy', 'busy', 'cora');
    expect(codes('busy-1')).toEqual(['CLAUDE_API_ERROR', 'CLAUDE_API_ERROR']);
    // The first turn: its tool, then two tries. The second turn: two more, in the same conversation.
    expect(api.requests('busy')).toHaveLength(5);
    expect(JSON.stringify(api.requests('busy').at(-1)?.body.messages)).toMatch(/Write about the sea.*Your session ended before/);
    expect(JSON.stringify(world.requests('cora')[1]?.body)).toMatch(
      /half[\s\S]*busy began this task and could not finish it[\s\S]*It had 2 attempts/,
    );
    expect(await content('busy-1')).toBe('half\nwhole');
  });

  test.concurrent('at a usage limit of hours, Codex goes on at once, and Claude Code cannot come back beside it', async () => {
    let during = '';
    const look = async () => {
      during = await sessions();
    };
    api.script('full', HALF, limit());
    // It begins before the run, so it may take as long as the test.
    const asked = world.until('Codex to ask', () => world.requests('cleo').length > 0, 390_000);
    world.script('cleo', { ...READS, after: asked.then(look) }, ...FINISHES);
    await play('full', 'full', 'cleo');
    expect(codes('full-1')).toEqual(['RATE_LIMITED']);
    expect(during.split('\n').filter((name) => name.startsWith('llmc-full-1'))).toEqual(['llmc-full-1-developer-codex-cleo']);
    expect(await content('full-1')).toBe('half\nwhole');
    expect((await world.status()).limits).toMatchObject([{ account: 'full', worker: 'full-1-developer' }]);

    // New work of the account goes to its fallback without a try.
    world.script('carl', exec('echo new > sea.txt && git add sea.txt && git commit -qm "Add the sea"'), { kind: 'text', text: 'Done.' });
    await play('next', 'full', 'carl');
    expect(await content('next-1')).toBe('new');
    expect([api.requests('full').length, api.unused('full')]).toEqual([2, 0]);
  });
});
