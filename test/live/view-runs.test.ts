import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { openView } from '../support/view.ts';
import { llmcWorld } from '../support/world.ts';

/** A colour, another title, and a byte that clears the screen in eight-bit terminals. */
const ATTACK = '\u001b[31mred\u001b]0;HACKED\u0007\u009b2J';
const SHOWN = /<U\+001B>\[31mred<U\+001B>\]0;HACKED<U\+0007><U\+009B>2J/;

const PLAN = `name: page
inputs: { task: { type: text } }
roles: { writer: {} }
stages:
  - { id: write, role: writer, prompt: "Write about {{inputs.task}}." }
  - { id: approve, review: write, by: person }
`;
const NOTES = `name: notes
inputs: { task: { type: text } }
roles: { writer: {} }
stages:
  - { id: write, role: writer, prompt: "Write notes about {{inputs.task}}.", output: notes.md }
  - { id: approve, review: write, by: person }
`;
const BROKEN = `name: broken
inputs: { task: { type: text } }
stages:
  - { id: check, command: "printf 'no \\\\033[31mred\\\\033]0;HACKED\\\\007'; exit 1", on_failure: { unmet: abort } }
`;

test('a run in the view has its colours, and the control characters of others are shown by their codes', async () => {
  await using world = await llmcWorld({ workers: [], stage: 'root' });
  await using outside = await scratchTmux();
  mkdirSync(join(world.root, 'workflows'), { recursive: true });
  writeFileSync(join(world.root, 'workflows', 'page.yaml'), PLAN);
  writeFileSync(join(world.root, 'workflows', 'broken.yaml'), BROKEN);
  await world.comeUp();
  await world.ok('run', 'page', '--input', `task=clocks ${ATTACK}`);
  await world.run(['run', 'broken', '--input', `task=${ATTACK}`]);

  const view = await openView(outside, world, 'runs', { width: 80, height: 24 });
  await view.shows(/page-1#1 +asks/);
  await view.keys('g', 'j');
  await view.shows(/^▌page-1 /);
  await view.shows(SHOWN);
  const { lines } = await view.screen();
  // The codes of llmc's own colours were shown like those of an agent.
  expect(lines.filter((line) => /<U\+001B>\[(?:\d+m)(?!red)/.test(line))).toEqual([]);
  expect(lines.filter((line) => /✓ write +writer/.test(line))).toHaveLength(1);
  const painted = await outside.tmux(['capture-pane', '-e', '-p', '-t', '=runs:']);
  expect(painted).toMatch(/\u001b\[32m *✓ write/);
  for (const words of [['show', 'page-1'], ['runs'], ['report', 'broken-1'], ['why', 'broken-1'], ['show', 'broken-1']])
    expect((await world.ok(...words)).match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g), words.join(' ')).toBeNull();
});

test('an approval shows what it is about: in the view, in show and in decide', async () => {
  const scenario = {
    'page-1-writer': 'turns: [{ steps: [{ edit: { path: page.md, content: "the sea\\nis \\e[31mdeep\\n" } }, { commit: Add a page }] }]',
  };
  await using world = await llmcWorld({ workers: [], stage: 'root', scenario });
  await using outside = await scratchTmux();
  mkdirSync(join(world.root, 'workflows'), { recursive: true });
  writeFileSync(join(world.root, 'workflows', 'page.yaml'), PLAN);
  writeFileSync(join(world.root, 'workflows', 'notes.yaml'), NOTES);
  await world.comeUp();
  await world.ok('run', 'page', '--input', 'task=clocks');
  await world.ok('run', 'notes', '--input', 'task=clocks');

  for (const words of [
    ['show', 'page-1'],
    ['decide', 'page-1'],
  ]) {
    const printed = await world.ok(...words);
    expect(printed, words.join(' ')).toContain('\n+the sea\n+is <U+001B>[31mdeep');
    expect(printed).toMatch(/page\.md +\| 2 \+\+/);
  }
  expect(await world.ok('decide', 'notes-1')).toMatch(/\nnotes\.md:\n {2}\S/);
  expect(await world.ok('decide'), 'the list of all').not.toContain('the sea');

  const view = await openView(outside, world, 'approval', { width: 120, height: 40 });
  await view.shows(/page-1#1 +asks/);
  await view.keys('g');
  await view.shows(/\+the sea/);
  await view.shows(/\+is <U\+001B>\[31mdeep/);
  expect(await outside.tmux(['capture-pane', '-e', '-p', '-t', '=approval:'])).toMatch(/\u001b\[32m(?:\u001b\[49m)?\+the sea/);
});
