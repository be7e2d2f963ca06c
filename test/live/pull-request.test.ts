import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { reaches } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

const ASKS = `
turns:
  - steps:
      - request_permission: { tool: Deploy, command: echo yes > allowed.txt && cat allowed.txt }
      - commit: "Add a parser\\n\\nIt reads $(touch pwned) every table."
`;
const BRANCH = 'adam/add-a-parser';

const notices = z.array(
  z.object({
    status: z.string(),
    workers: z.array(z.object({ command: z.string().nullable(), choices: z.array(z.string()), files: z.int().nullable() })),
  }),
);

test('a permission notifies with its command, and accepted work becomes a pull request that follows its comments', async () => {
  await using world = await llmcWorld({
    stage: 'root',
    workers: ['adam'],
    scenario: { adam: ASKS },
    config: '\n[notify]\ncommand = "cat >> notices.jsonl"\n',
  });
  const remote = join(world.dir, 'remote.git');
  await world.git('clone', '--quiet', '--bare', world.source, remote);
  await world.git('remote', 'add', 'origin', remote);
  const gh = join(world.dir, 'gh');
  writeFileSync(
    gh,
    `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done >> "${gh}.calls"\ncat "$LLMC_LANDED_BODY_FILE" >> "${gh}.calls"\n`,
  );
  chmodSync(gh, 0o755);
  world.set('defaults', 'skip_permissions = false');
  world.set(
    'repo',
    `landing = "branch"\nafter_accept = ['git push --quiet --force-with-lease origin "$LLMC_LANDED_BRANCH"', '${gh} --title "$LLMC_LANDED_TITLE" --head "$LLMC_LANDED_BRANCH"']`,
  );
  await world.comeUp();

  const file = join(world.root, 'notices.jsonl');
  const notified = async (count: number) => {
    const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
    await until(`${count} notices`, async () => lines().length >= count);
    return notices.parse(lines().map((line) => JSON.parse(line)));
  };
  await world.ok('start', '--prompt', 'Add a parser');
  const [asked] = await notified(1);
  expect(asked).toMatchObject({
    status: 'needs_input',
    workers: [{ command: 'echo yes > allowed.txt && cat allowed.txt', choices: expect.arrayContaining(['Yes']) }],
  });
  await world.ok('why', 'adam');
  await world.ok('answer', 'adam', '1');
  await reaches(world, 'adam', 'needs_review');
  expect((await notified(2))[1]).toMatchObject({ status: 'needs_review', workers: [{ files: 1 }] });

  await world.ok('review', 'adam');
  expect(await world.ok('accept', 'adam')).toMatch(new RegExp(`^Landed [0-9a-f]{12} on ${BRANCH}: Add a parser`));
  const onRemote = () => world.gitIn(remote, 'log', '--format=%s', BRANCH);
  expect(await onRemote()).toBe('Add a parser\nBegin');
  expect(await world.git('log', '--format=%s', 'main')).toBe('Begin');
  expect(readFileSync(`${gh}.calls`, 'utf8')).toBe(
    ['--title', 'Add a parser', '--head', BRANCH, 'It reads $(touch pwned) every table.', ''].join('\n'),
  );
  expect(existsSync(join(world.source, 'pwned'))).toBe(false);
  expect(await world.ok('status')).toMatch(/adam +idle .*\(landed on adam\/add-a-parser\)/);
  expect(await world.ok('logs', 'adam')).toContain(`on ${BRANCH}`);

  // Comments on the pull request.
  const { stdout, stderr } = await world.run(['undo', 'adam', '--yes']);
  expect(stdout).toContain(`was taken back from ${BRANCH}.`);
  expect(stderr).toContain(`origin/${BRANCH} still has`);
  expect(await world.git('branch', '--format=%(refname:short)')).toBe('main');
  await world.ok('reject', '--worker', 'adam', 'Please mention the sea');
  await reaches(world, 'adam', 'needs_review');
  await world.ok('review', 'adam');
  await world.ok('accept', 'adam');
  expect(await onRemote()).toBe('Add a parser\nBegin');
  expect(await world.gitIn(remote, 'show', '--format=', '--name-only', BRANCH)).toContain('llmc-demo/adam.md');
});

const CONFLICTS = `
turns:
  - steps:
      - edit: { path: list.txt, replace: { old: two, new: "two by the worker" } }
      - commit: Change the list
  - steps: [{ resolve: both }, { say: Both sides are there. }]
`;

test('an accept for a branch that stops at a conflict is remembered, also by the supervisor after a killed one', async () => {
  await using world = await llmcWorld({ workers: ['adam'], source: { files: { 'list.txt': 'one\ntwo\nthree\n' } }, scenario: CONFLICTS });
  await world.ok('start', '--prompt', 'Change the list', '--wait');
  world.write('list.txt', 'one\ntwo by a person\nthree\n');
  await world.git('commit', '--quiet', '--all', '-m', 'Change the list on main');
  const chosen = 'It lands on lists/two, as you chose. To land it on main: llmc accept adam --main';

  const met = await world.refused(['accept', 'adam', '--branch', 'lists/two']);
  expect(met).toMatchObject({ code: 'REBASE_CONFLICT', hint: expect.stringContaining(chosen) });
  await world.killSupervisor();
  await world.comeUp();
  await reaches(world, 'adam', 'needs_review');

  expect(await world.ok('review', 'adam')).toContain(chosen);
  const { stdout, stderr } = await world.run(['accept', 'adam']);
  expect(stdout).toMatch(/^Landed [0-9a-f]{12} on lists\/two: Change the list/);
  expect(stderr).toContain(chosen);
  expect(await world.git('log', '--format=%s', 'lists/two')).toBe('Change the list\nChange the list on main\nBegin');
  expect(await world.git('log', '--format=%s', 'main')).toBe('Change the list on main\nBegin');
});

/** Each stage writes to the same file, so it lands only on top of the one before. */
const LINES = `
name: lines
description: Three stages, each after the landing of the one before.
inputs: { parts: { type: list } }
roles: { developer: {} }
stages:
  - id: parts
    for_each: { of: inputs.parts }
    stages:
      - { id: part, role: developer, prompt: "Write a part" }
      - { id: land-part, land: part, by: run }
  - { id: middle, role: developer, prompt: "Write the middle" }
  - { id: land-middle, land: middle, by: run }
  - { id: end, role: developer, prompt: "Write the end" }
  - { id: land-end, land: end, by: run }
`;
const WRITES = `turns:
  - when: .
    steps: [{ run: 'echo "line $(cat lines.txt | wc -l)" >> lines.txt' }, { commit: Add a line }]
`;

test('the stages of a run that lands on a branch build on what has landed there', async () => {
  await using world = await llmcWorld({ stage: 'root', source: { files: { 'lines.txt': '' } }, scenario: { 'lines-1-developer': WRITES } });
  world.set('repo', 'landing = "branch"');
  world.write('workflows/lines.yaml', LINES, world.root);
  await world.ok('run', 'lines', '--input', 'parts=one');
  expect(await world.git('show', 'run/lines-1:lines.txt')).toBe('line 0\nline 1\nline 2');
  expect(await world.git('log', '--format=%B', 'run/lines-1')).toBe('Add a line\n\nAdd a line\n\nAdd a line\n\nBegin');
  expect(await world.git('log', '--format=%s', 'main')).toBe('Begin');
});
