import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const WORKFLOW = `name: epic
inputs: { epic: { type: file } }
roles: { developer: {}, reviewer: {} }
stages:
  - id: stories
    for_each: { of: inputs.epic.stories, key: id, status_file: inputs.epic }
    stages:
      - { id: develop, role: developer, prompt: "Build the story {{item.id}}." }
      - { id: review, review: develop, by: reviewer }
      - { id: land, land: develop, by: run }
`;

interface Project {
  readonly name: string;
  readonly root: string;
  readonly source: string;
  readonly epic: string;
}

/** A project of the same user: its repository and its epic are called as those of the others. */
async function project(world: World, name: string): Promise<Project> {
  const folder = join(world.dir, name);
  const [root, source, epic] = [join(folder, 'llmc'), join(folder, 'shop'), join(folder, 'epic.yaml')];
  const scenarios = join(folder, 'scenarios');
  for (const path of [source, scenarios]) mkdirSync(path, { recursive: true });
  await world.gitIn(source, 'init', '--quiet', '--initial-branch=main');
  await world.gitIn(source, 'commit', '--quiet', '--allow-empty', '-m', `Begin ${name}`);
  await world.ok('init', '--source', source, '--target', root, '--agent', 'demo');
  appendFileSync(join(root, 'config.toml'), `\n[agents.demo]\nargs = ["--scenario", ${JSON.stringify(scenarios)}]\n`);
  mkdirSync(join(root, 'workflows'), { recursive: true });
  writeFileSync(join(root, 'workflows/epic.yaml'), WORKFLOW);
  writeFileSync(epic, `project: ${name}\nstories: [{id: s1}, {id: s2}]\n`);
  const story = (id: string) => ({
    when: `story ${id}`,
    steps: [
      { run: `until test -e ${join(world.dir, 'go')}; do sleep 0.1; done` },
      { edit: { path: `${id}.txt`, content: `${name}\n` } },
      { message: { to: 'reviewer', text: `from ${name}` } },
      { commit: `Story ${id} of ${name}` },
    ],
  });
  writeFileSync(join(scenarios, 'developer.yaml'), JSON.stringify({ turns: [story('s1'), story('s2')] }));
  const read = { run: `cat .llmc-task/in/messages/* >> ${join(folder, 'read')}; git log --format=%s >> ${join(folder, 'read')}` };
  writeFileSync(join(scenarios, 'reviewer.yaml'), JSON.stringify({ turns: [{ when: '.', steps: [read, { leave: 'verdict.yaml' }] }] }));
  return { name, root, source, epic };
}

/** The sessions of a root by their names, and whether their folders are in the root. */
async function sessionsOf(world: World, { root }: Project): Promise<Readonly<Record<string, boolean>>> {
  const { stdout } = await world.shell(`tmux -S '${root}/run/tmux.sock' list-panes -a -F '#{session_name} #{pane_current_path}'`);
  const lines = stdout
    .trim()
    .split('\n')
    .filter((line) => line.includes('epic-1-'));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1]?.startsWith(`${root}/`) === true]));
}

const refsOf = async (world: World, { source, root }: Project): Promise<string> => {
  const all = await Promise.all([source, root].map((at) => refsIn(world, at)));
  return all.join('\n');
};

async function refsIn(world: World, at: string): Promise<string> {
  const { stdout } = await world.shell(`git -C '${at}' for-each-ref --format='%(refname) %(subject)' 2>/dev/null`);
  return stdout;
}

test('two projects of one user, with the same names for everything, run the same epic at the same time and never meet', async () => {
  await using world = await llmcWorld({ stage: 'source' });
  const projects = [await project(world, 'blue'), await project(world, 'green')];
  try {
    for (const { root, epic } of projects) await world.ok('run', 'epic', '--input', `epic=${epic}`, '--detach', '--root', root);
    for (const each of projects) {
      // A program that tmux has just started is in the folder of the server for a moment.
      await until(`the developer of ${each.name}`, async () => Object.values(await sessionsOf(world, each)).includes(true));
      expect(await sessionsOf(world, each)).toEqual({ 'llmc-epic-1-developer': true });
    }
    writeFileSync(join(world.dir, 'go'), '');
    for (const { root } of projects) await world.ok('wait', 'epic-1', '--for', 'done,failed', '--timeout', '170s', '--root', root);
    for (const each of projects) {
      const { name, root, source, epic } = each;
      expect(await world.gitIn(source, 'log', '--format=%s')).toBe(`Story s2 of ${name}\nStory s1 of ${name}\nBegin ${name}`);
      expect(readFileSync(epic, 'utf8')).toBe(`project: ${name}\nstories: [{id: s1, status: done}, {id: s2, status: done}]\n`);
      // What the reviewer got: messages and history.
      const other = name === 'blue' ? 'green' : 'blue';
      const read = readFileSync(join(world.dir, name, 'read'), 'utf8');
      expect(read).toContain(`from ${name}`);
      for (const text of [read, await refsOf(world, each), await world.ok('report', 'epic-1', '--json', '--root', root)]) {
        expect(text).toContain(name);
        expect(text).not.toContain(other);
      }
    }
    const [blue, green] = projects;
    await world.ok('down', '--root', blue?.root ?? '');
    expect(await world.ok('runs', '--root', green?.root ?? '')).toContain('epic-1');
    expect(JSON.parse(await world.ok('status', '--json', '--root', green?.root ?? ''))).toMatchObject({ supervisor: { running: true } });
  } finally {
    for (const { root } of projects) await world.run(['down', '--force', '--root', root]);
  }
});
