import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Step as ClaudeStep } from '../claude/api-steps.ts';
import { IsolatedClaude } from '../claude/isolated.ts';
import { program as claude } from '../claude/llmc-world.ts';
import { ScriptedApi } from '../claude/scripted-api.ts';
import { runReaches, untilAtWork } from '../support/run-side.ts';
import { program as codex, codexWorld } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const byClaude = (command: string) => ({ kind: 'tool', name: 'Bash', input: { command, description: 'Work' } }) satisfies ClaudeStep;
const byCodex = (cmd: string) => ({ kind: 'tool', name: 'exec_command', input: { cmd } }) satisfies Step;
const OVER = { kind: 'text', text: 'Done.' } as const;
const FOR_EVER = { kind: 'stall', text: 'I go on for ever' } as const;

const half = (file: string) => `echo half > .llmc-task/out/${file}`;
const SAVES = "printf 'done: 1\\ntotal: 2\\nnote: first half\\n' > .llmc-task/out/progress.yaml";
/** Fails if what was saved is not there any more. */
const finishes = (file: string) => `grep -q half .llmc-task/out/${file} && echo whole >> .llmc-task/out/${file}`;

const WORKFLOW = `name: pair
roles: { writer: { agent: claude }, editor: { agent: codex-cora } }
stages:
  - { id: write, role: writer, needs: [], output: a.md, prompt: Write about the sea }
  - { id: edit, role: editor, needs: [], output: b.md, prompt: Write about the shore }
`;

const viewSchema = z.object({
  status: z.string(),
  recoveries: z.int(),
  pause: z.object({ complete: z.array(z.string()), partial: z.array(z.string()) }).nullable(),
  result: z.array(z.string()),
  stages: z.array(z.object({ id: z.string(), artifacts: z.array(z.string()) })),
});

describe.skipIf(claude === undefined || codex === undefined)('a run of Claude Code and Codex that a person pauses', () => {
  test('has both save what they have and rest, and both finish it in their conversations', async () => {
    await using api = await ScriptedApi.start();
    await using home = await IsolatedClaude.create({ baseUrl: api.urlFor('clio'), trusted: [] });
    await using world = await codexWorld({ workers: ['cora'], stage: 'root' });
    const { PATH: _, TERM: __, HOME: ___, ...env } = home.env;
    const table = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    // On a busy machine Claude Code and Codex need longer than the 30 s of the default to be interrupted, to read the request and to save.
    const config = `\n[agents.claude]\ncommand = ${JSON.stringify(claude)}\nenv = { ${table.join(', ')} }\n[workflow]\nsave_timeout_secs = 200\n`;
    appendFileSync(join(world.root, 'config.toml'), config);
    world.write('pair.yaml', WORKFLOW, world.dir);
    api.script('clio', byClaude(half('a.md')), FOR_EVER, byClaude(SAVES), OVER, byClaude(finishes('a.md')), OVER);
    world.script('cora', byCodex(half('b.md')), FOR_EVER, byCodex(SAVES), OVER, byCodex(finishes('b.md')), OVER);

    await world.ok('run', './pair.yaml', '--detach');
    await untilAtWork(world, 'pair-1', 'write: writer', 'edit: editor');
    await world.until('both to be in the middle', () => api.requests('clio').length === 2 && world.requests('cora').length === 2);
    await world.ok('pause', 'pair-1');
    const paused = await world.json(viewSchema, 'show', 'pair-1');
    expect(paused).toMatchObject({ status: 'paused', recoveries: 0, pause: { complete: [], partial: ['write', 'edit'] } });
    expect(await world.ok('show', 'pair-1')).toContain('50 %: first half');
    await world.until('the agents to rest', async () => !(await world.tmux('list-sessions', '-F', '#S')).includes('llmc-pair-1'));

    await world.ok('resume', 'pair-1', '--detach');
    await runReaches(world, 'pair-1', 'done');
    const done = await world.json(viewSchema, 'show', 'pair-1');
    const left = done.stages.flatMap(({ artifacts }) =>
      artifacts.map((path) => readFileSync(join(world.root, 'runs/pair-1', path), 'utf8')),
    );
    expect(left).toEqual(['half\nwhole\n', 'half\nwhole\n']);
    expect([done.recoveries, api.unused('clio'), world.api.unused('cora')]).toEqual([0, 0, 0]);
    for (const [requests, task] of [
      [api.requests('clio'), 'Write about the sea'],
      [world.requests('cora'), 'Write about the shore'],
    ] as const)
      expect(JSON.stringify(requests.at(-1)?.body)).toContain(task);
  });
});
