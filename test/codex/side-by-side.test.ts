import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Step as ClaudeStep } from '../claude/api-steps.ts';
import { IsolatedClaude } from '../claude/isolated.ts';
import { program as claude } from '../claude/llmc-world.ts';
import { ScriptedApi } from '../claude/scripted-api.ts';
import { type CodexWorld, program as codex, codexWorld } from './llmc-world.ts';
import { type Step, usageLimit } from './responses-steps.ts';

const commit = (note: string) => `echo "${note}" >> ${note}.txt && git add --all && git commit -qm "Add ${note}"`;
const byCodex = (note: string): Step[] => [
  { kind: 'tool', name: 'exec_command', input: { cmd: commit(note) } },
  { kind: 'text', text: 'Done.' },
];
const byClaude = (note: string): ClaudeStep[] => [
  { kind: 'tool', name: 'Bash', input: { command: commit(note), description: 'Commit a note' } },
  { kind: 'text', text: 'Done.' },
];
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
const overloaded: ClaudeStep = { kind: 'error', status: 529, type: 'overloaded_error', message: 'Overloaded' };

describe.skipIf(claude === undefined || codex === undefined)('Claude Code and Codex in one root', () => {
  let api: ScriptedApi;
  let home: IsolatedClaude;
  let world: CodexWorld;

  beforeAll(async () => {
    api = await ScriptedApi.start();
    home = await IsolatedClaude.create({ baseUrl: api.urlFor('clio'), trusted: [] });
    world = await codexWorld({ workers: ['cora', 'carl'], stage: 'root' });
    const { PATH: _, TERM: __, HOME: ___, ...env } = home.env;
    const table = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    appendFileSync(
      join(world.root, 'config.toml'),
      `\n[agents.claude]\ncommand = ${JSON.stringify(claude)}\nenv = { ${table.join(', ')} }\n`,
    );
    await world.ok('add', 'clio', '--agent', 'claude');
    await world.up();
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });

  const limits = async () => (await world.status()).limits.map(({ account }) => account);
  const tasks = (prompts: readonly string[]) => prompts.map((text) => text.replace(/.*\n## Task\n\n/s, ''));

  test('a usage limit of one leaves the other working, even when it is overloaded; parked work continues once, without a person', async () => {
    // The limit is longer than the test, so that Claude Code works while it lasts on any machine.
    world.script('cora', usageLimit(secondsFromNow(3_600), true));
    world.script('carl', ...byCodex('sugar'));
    await world.ok('start', '--worker', 'cora', '--prompt', 'Write about salt');
    await world.until('the account to be parked', async () => (await limits()).includes('codex'));
    expect(await world.ok('start', '--worker', 'carl', '--prompt', 'Write about sugar')).toMatch(/usage limit of codex until/);

    api.script('clio', overloaded, overloaded, ...byClaude('pepper'));
    await world.ok('start', '--worker', 'clio', '--prompt', 'Write about pepper');
    await world.reaches('clio', 'needs_review');
    expect(await limits()).toEqual(['codex']);
    expect([world.received('cora').length, world.received('carl').length]).toEqual([1, 0]);

    // The next limit is short: the test waits for its end.
    const resetsAt = secondsFromNow(20);
    world.script('cora', usageLimit(resetsAt, true), ...byCodex('salt'));
    await world.ok('unpark', 'codex');
    for (const name of ['cora', 'carl']) await world.reaches(name, 'needs_review');
    expect(Date.now()).toBeGreaterThanOrEqual(resetsAt * 1_000);
    expect(await limits()).toEqual([]);
    expect(tasks(world.received('carl'))).toEqual(['Write about sugar']);
    expect(world.received('cora')).toHaveLength(3);
    expect(world.deliveries('cora').map(({ purpose, attempt }) => [purpose, attempt])).toEqual([
      ['task', 1],
      ['continue', 1],
      ['continue', 1],
    ]);
    expect([api.unused('clio'), world.api.unused('cora'), world.api.unused('carl')]).toEqual([0, 0, 0]);
    for (const name of ['cora', 'carl', 'clio']) await world.ok('accept', name);
    expect((await world.git('log', '--format=%s')).trim().split('\n').toSorted()).toEqual(['Add pepper', 'Add salt', 'Add sugar', 'Begin']);
  });
});
