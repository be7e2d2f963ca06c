import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scratchFolder } from '../repo/scratch.ts';

const program = join(import.meta.dirname, '../../bin/llmc.cjs');

function run(root: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--root', root, ...args], { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const llmc = (root: string, ...args: string[]) => run(root, 'workflows', ...args);

function doctorFinding(root: string): unknown {
  const { checks } = z
    .object({ checks: z.array(z.looseObject({ name: z.string() })) })
    .parse(JSON.parse(run(root, 'doctor', '--json').stdout));
  return checks.find(({ name }) => name === 'workflows');
}

test('a person lists, copies, breaks and corrects a workflow', () => {
  using scratch = scratchFolder();
  const root = scratch.path;
  mkdirSync(join(root, 'workflows'));
  writeFileSync(join(root, 'config.toml'), `[repo]\nsource = ${JSON.stringify(join(root, 'gone'))}\n`);
  const file = join(root, 'workflows/swarm.yaml');

  const shown = llmc(root, 'show', 'swarm');
  expect(shown).toMatchObject({ status: 0, stderr: expect.stringMatching(/workflows\/swarm\.yaml\n$/) });
  writeFileSync(file, shown.stdout.replace('role: researcher', 'role: reseacher'));

  expect(llmc(root).stdout.split('\n')).toEqual([
    expect.stringMatching(/^swarm {14}root {6}1 problem: llmc --root \S+ workflows validate swarm$/),
    expect.stringMatching(/^fix-issues {9}built-in {2}Fix a list of issues/),
    expect.stringMatching(/^literature-review {2}built-in {2}Search, outline/),
    expect.stringMatching(/^stories {12}built-in {2}Work through/),
    'swarm              built-in  not used: shadowed by the one of the root',
    expect.stringMatching(/^The workflows of the repository could not be read: .*gone/),
    '',
  ]);
  const place = shown.stdout.split('\n').findIndex((line) => line.includes('role: researcher')) + 1;
  expect(llmc(root, 'validate', 'swarm')).toEqual({
    status: 2,
    stdout: `${file}:${place}:11: stages[0].role: there is no role "reseacher"; did you mean "researcher"?\n`,
    stderr: '',
  });
  const problem = `${file}:${place}:11: stages[0].role: there is no role "reseacher"; did you mean "researcher"?`;
  expect(doctorFinding(root)).toMatchObject({ level: 'failed', message: problem });

  writeFileSync(file, shown.stdout);
  expect(llmc(root, 'validate', 'swarm')).toEqual({ status: 0, stdout: `${file} is valid: 4 stages, 3 roles.\n`, stderr: '' });
  expect(JSON.parse(llmc(root, 'show', 'swarm', '--json').stdout)).toMatchObject({
    origin: 'root',
    valid: true,
    text: shown.stdout,
    plan: { name: 'swarm' },
    shadows: [expect.stringMatching(/swarm\.yaml$/)],
  });
  expect(JSON.parse(llmc(root, 'schema').stdout)).toEqual(JSON.parse(llmc(root, 'schema', '--json').stdout));
});

test.each([
  [['frob'], 'INVALID_ARGUMENT: "frob" is not list, show, validate or schema'],
  [['show'], 'INVALID_ARGUMENT: name the workflow to show'],
  [['show', 'swram'], 'WORKFLOW_NOT_FOUND: there is no workflow "swram"; did you mean "swarm"?'],
])('%j is refused', (args, message) => {
  using scratch = scratchFolder();
  const { status, stderr } = llmc(scratch.path, ...args);
  expect({ failed: status !== 0, first: stderr.split('\n')[0] }).toEqual({ failed: true, first: message });
});
