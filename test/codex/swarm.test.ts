import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Step as ClaudeStep } from '../claude/api-steps.ts';
import { IsolatedClaude } from '../claude/isolated.ts';
import { program as claude } from '../claude/llmc-world.ts';
import { ScriptedApi } from '../claude/scripted-api.ts';
import { runReaches } from '../support/run-side.ts';
import { program as codex, codexWorld } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const byClaude = (command: string): ClaudeStep[] => [
  { kind: 'tool', name: 'Bash', input: { command, description: 'Work' } },
  { kind: 'text', text: 'Done.' },
];
const byCodex = (cmd: string): Step[] => [
  { kind: 'tool', name: 'exec_command', input: { cmd } },
  { kind: 'text', text: 'Done.' },
];
const verdict = (text: string) => `printf '${text}' > .llmc-task/out/verdict.yaml`;
const REMARK = 'sea.txt:1: name the sea';

describe.skipIf(claude === undefined || codex === undefined)('a swarm of three kinds of agents', () => {
  test('Claude Code builds, Codex has a remark and then approves, and the work lands', async () => {
    await using api = await ScriptedApi.start();
    await using home = await IsolatedClaude.create({ baseUrl: api.urlFor('clio'), trusted: [] });
    await using world = await codexWorld({ workers: ['cora'], stage: 'root' });
    const { PATH: _, TERM: __, HOME: ___, ...env } = home.env;
    const table = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    const config = `\n[agents.claude]\ncommand = ${JSON.stringify(claude)}\nenv = { ${table.join(', ')} }\n`;
    appendFileSync(join(world.root, 'config.toml'), config);
    const agents = { researcher: 'demo', developer: 'claude', reviewer: 'codex-cora' };
    const text = Object.entries(agents).reduce(
      (before, [role, agent]) => before.replace(`  ${role}:\n`, `  ${role}:\n    agent: ${agent}\n`),
      await world.ok('workflows', 'show', 'swarm'),
    );
    world.write('swarm.yaml', text, world.dir);

    const commit = 'git add sea.txt && git commit -qm "Add the sea"';
    api.script('clio', ...byClaude(`echo sea > sea.txt && ${commit}`), ...byClaude(`echo the North Sea > sea.txt && ${commit}`));
    const changes = verdict(`verdict: changes\\nissues:\\n  - "${REMARK}"\\n`);
    world.script('cora', ...byCodex(`git log -1 --format=%s && ${changes}`), ...byCodex(verdict('verdict: approved\\nissues: []\\n')));
    const { stdout, stderr } = await world.run(['run', './swarm.yaml', '--input', 'task=Write about the sea', '--json']);
    const view = z.object({ status: z.string(), recoveries: z.int(), questions: z.array(z.object({ text: z.string() })) });
    expect(view.parse(JSON.parse(stdout)), stderr).toEqual({ status: 'waiting', recoveries: 0, questions: [] });

    // The remark went back in the conversation of the developer, and the second review saw the first one.
    expect(JSON.stringify(api.requests('clio').at(-1)?.body.messages)).toMatch(/Write about the sea.*name the sea/);
    expect(JSON.stringify(world.requests('cora')[1]?.body)).toContain('Add the sea');
    expect(JSON.stringify(world.requests('cora').at(-1)?.body)).toMatch(/verdict: changes.*round 2/);
    expect([api.unused('clio'), world.api.unused('cora')]).toEqual([0, 0]);
    expect(await world.ok('review', 'swarm-1-developer')).toContain('+the North Sea');
    await world.ok('accept', 'swarm-1-developer');
    await runReaches(world, 'swarm-1', 'done');
    expect(await world.git('show', 'main:sea.txt')).toBe('the North Sea');
  });
});
