import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { testOfFullRun } from '../support/full-run.ts';
import { runReaches, untilOf } from '../support/run-side.ts';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { COMMAND } from '../support/view.ts';
import type { World } from '../support/world.ts';
import { leaving, OUTLINE, SCOPE, SECTIONS, SOURCES } from './built-in-world.ts';
import { swarmWorld } from './swarm-world.ts';

const viewSchema = z.object({
  status: z.string(),
  stages: z.array(z.object({ id: z.string(), state: z.string() })),
});

let world: World;
beforeAll(async () => {
  world = await swarmWorld();
});
afterAll(async () => await world[Symbol.asyncDispose]());

const waitingSchema = z.object({ workers: z.array(z.object({ name: z.string(), status: z.string() })) });

/** A person accepts everything that waits for a review, until the run has ended. */
async function acceptAll(run: string): Promise<void> {
  const ended = async () => {
    const { workers } = await world.json(waitingSchema, 'status');
    for (const { name, status } of workers) {
      if (status !== 'needs_review' || !name.startsWith(`${run}-`)) continue;
      await world.run(['review', name]);
      await world.run(['accept', name]);
    }
    const { status } = await world.json(viewSchema, 'show', run);
    return status !== 'running' && status !== 'waiting';
  };
  await untilOf(world, run, 'to be done', ended);
  expect((await world.json(viewSchema, 'show', run)).status, await world.ok('logs', run)).toBe('done');
}

test.concurrent('fix-issues takes the issues of a tracker from standard input, and each fix lands', async () => {
  const issues = [7, 8].map((number) => ({ number, title: `Crash ${number}`, body: 'It crashes.\nAlways.' }));
  expect(await world.run(['run', 'fix-issues', '--input', 'issues=-', '--detach'], { stdin: JSON.stringify(issues) })).toMatchObject({
    status: 0,
  });
  await acceptAll('fix-issues-1');
  const landed = await world.git('log', '--format=%s', 'main', '--', 'llmc-demo/fix-issues-1-*');
  expect(landed.trim().split('\n').length).toBe(2);
});

test.concurrent('stories lands an epic in its order, and writes the status of each story into the epic', async () => {
  const epic = join(world.dir, 'epic.md');
  writeFileSync(epic, '---\nstories:\n  - id: s1 # first\n    title: One\n  - id: s2\n    title: Two\n---\n# The epic\n');
  await world.ok('run', 'stories', '--input', `epic=${epic}`, '--detach');
  // A second run on the same epic warns, and a person at a terminal can leave it.
  await using outside = await scratchTmux();
  const argv = [process.execPath, COMMAND, 'run', 'stories', '--input', `epic=${epic}`] as const;
  const second = await outside.start({ name: 'person', argv, cwd: world.dir, env: world.env, width: 240 });
  const shows = async (text: string) => await second.waitFor(text, ({ lines }) => lines.some((line) => line.includes(text)));
  await shows(`! stories-1 works through the same file, ${epic} (epic).`);
  await shows('Start another run on it?');
  await second.keys('n', 'Enter');
  expect(await second.exit()).toMatchObject({ signal: null });
  expect(await world.ok('runs')).not.toContain('stories-2');
  await acceptAll('stories-1');
  expect(readFileSync(epic, 'utf8')).toBe(
    '---\nstories:\n  - id: s1 # first\n    title: One\n    status: done\n  - id: s2\n    title: Two\n    status: done\n---\n# The epic\n',
  );
});

// The pure core plays the same review in src/workflow/engine/built-in.test.ts in each run.
testOfFullRun('literature-review writes six sections, one of them again, and leaves a document and its bibliography', async () => {
  const lead = { turns: [leaving({ 'scope.yaml': SCOPE }), leaving({ 'sources.yaml': SOURCES, 'outline.yaml': OUTLINE })] };
  const searcher = { turns: [leaving({ 'reviews.yaml': SOURCES, 'search.md': 'queries' })] };
  writeFileSync(join(world.scenarios, 'literature-1-lead.yaml'), JSON.stringify(lead));
  writeFileSync(join(world.scenarios, 'searcher.yaml'), JSON.stringify(searcher));
  // The final check sends one section back, and approves the next document.
  const once = join(world.dir, 'sent-back');
  const approves = "printf 'verdict: approved\\n'";
  const sendsBack = `printf 'verdict: inconsistent\\nissues: [no source]\\nitems: [s2]\\n'`;
  const check = `{ if test -e ${once}; then ${approves}; else touch ${once}; ${sendsBack}; fi; } > .llmc-task/out/verdict.yaml`;
  const validator = { turns: [{ when: 'Check the final document', steps: [{ run: check }] }] };
  writeFileSync(join(world.scenarios, 'literature-1-validator.yaml'), JSON.stringify(validator));
  await world.ok('run', 'literature-review', '--input', 'question=How often?', '--input', 'tier=simple', '--detach');
  await runReaches(world, 'literature-1', 'done');
  const { stages } = await world.json(viewSchema, 'show', 'literature-1');
  expect(stages.find(({ id }) => id === 'sections')?.state).toBe('done');
  const left = globSync('artifacts/**/*-*', { cwd: join(world.root, 'runs/literature-1') });
  expect(left.filter((path) => path.endsWith('section.md')).length).toBe(SECTIONS.length);
  const undone = globSync('archive/1-sections/**/*section.md', { cwd: join(world.root, 'runs/literature-1') });
  expect(undone.map((path) => /5\W(s\d)/.exec(path)?.[1])).toEqual(['s2']);
  expect(left.filter((path) => /review\.md$|references\.bib$/.test(path)).length).toBe(2);
});
