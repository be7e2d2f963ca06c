import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aWorkerReport } from '../../src/tui/samples.ts';
import { processesWith } from '../package/processes-with.ts';
import { type Pane, type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { StandInRoot } from '../support/stand-in-root.ts';
import { COMMAND, openView } from '../support/view.ts';

let root: StandInRoot;
let outside: ScratchTmux;

beforeAll(async () => {
  root = await new StandInRoot(['adam', 'ben'].map((name) => aWorkerReport(name, { status: 'working', current_prompt: 'Work' }))).serve();
  outside = await scratchTmux();
});
afterAll(async () => {
  await outside?.[Symbol.asyncDispose]();
  await root?.[Symbol.asyncDispose]();
});

/** The processes of views that are open on this root. */
const views = () => processesWith(`LLMC_ROOT=${root.dir}`).filter((line) => line.includes('llmc.cjs') && !/\bsh -c\b/.test(line));
const theView = () => Number.parseInt(views()[0] ?? '', 10);

const state = async (pane: Pane) =>
  (
    await outside.tmux(['display-message', '-p', '-t', `=${pane.name}:`, '#{alternate_on}#{cursor_flag}#{wrap_flag}#{mouse_any_flag}'])
  ).trim();
const OPEN = '1001';
const RESTORED = '0110';

test.each<[string, string, NodeJS.Signals | 'C-c', RegExp]>([
  ['SIGTERM', 'term', 'SIGTERM', /^status 143$/],
  ['SIGHUP', 'hup', 'SIGHUP', /^status 129$/],
  ['ctrl+c', 'ctrl', 'C-c', /^status 0$/],
])('%s restores the screen, its cursor and its mouse', async (_, name, how, status) => {
  const view = await openView(outside, root, name);
  await view.shows(/2 working/);
  expect(await state(view)).toBe(OPEN);
  if (how === 'C-c') await view.keys(how);
  else process.kill(theView(), how);
  await view.shows(status);
  expect(await state(view)).toBe(RESTORED);
  expect((await view.screen()).lines.slice(0, 2)).toEqual(['before', expect.stringMatching(status)]);
});

/** How a person starts llmc: with a Node that is new enough, or with an old one, for which the launcher starts another. */
const STARTS = [
  ['with a new Node', ['sh'], []],
  ['through the launcher of an old Node', ['bash', '--norc', '--noprofile'], ['--require', './pretend.cjs']],
] as const;

async function interactiveShell(name: string, shell: readonly [string, ...string[]]) {
  const { env, dir } = root;
  writeFileSync(join(dir, 'pretend.cjs'), `Object.defineProperty(process.versions, 'node', { value: '20.1.0' });`);
  const pane = await outside.start({ name, argv: [...shell, '-i'], cwd: dir, env: { ...env, PS1: 'prompt ' }, width: 120, height: 40 });
  const shows = async (what: RegExp) => void (await pane.waitFor(String(what), ({ lines }) => lines.some((line) => what.test(line))));
  const types = async (text: string) => {
    await pane.type(text);
    await pane.keys('Enter');
  };
  const prompts = async () =>
    void (await pane.waitFor('the prompt', ({ lines }) => lines.findLast((line) => line !== '')?.endsWith('prompt') === true));
  await prompts();
  return { ...pane, pane, shows, types, prompts };
}

const starting = (flags: readonly string[], ...words: readonly string[]) => [process.execPath, ...flags, COMMAND, ...words].join(' ');

describe.each(STARTS)('%s', (_, shell, flags) => {
  const [name] = shell;

  test('ctrl+z gives the terminal back to the shell, and fg the view', async () => {
    const { pane, shows, types, keys, prompts } = await interactiveShell(`jobs-${name}`, shell);
    await types(starting(flags));
    await shows(/2 working/);
    await keys('C-z');
    await shows(/Stopped/);
    expect(await state(pane)).toBe(RESTORED);
    // The prompt takes a command: nothing of llmc reads the terminal any more.
    await types('echo $((20 + 22))');
    await shows(/^42$/);
    root.change('ben', { current_prompt: `Changed ${name}` });
    await types('fg');
    await shows(new RegExp(`Changed ${name}`));
    expect(await state(pane)).toBe(OPEN);
    await keys('Q');
    await prompts();
    expect(await state(pane)).toBe(RESTORED);
    await types('echo "status $?"');
    await shows(/^status 0$/);
  });

  test('ctrl+z stops a command that follows something, fg continues it, and ctrl+c ends it', async () => {
    const { shows, types, keys, prompts } = await interactiveShell(`follow-${name}`, shell);
    await types(starting(flags, 'status', '--watch'));
    await shows(/^adam +working/);
    await keys('C-z');
    await shows(/Stopped/);
    await types('echo $((20 + 22))');
    await shows(/^42$/);
    root.change('adam', { current_prompt: `Followed ${name}` });
    await types('fg');
    await shows(new RegExp(`Followed ${name}`));
    await keys('C-c');
    await prompts();
    await types('echo "status $?"');
    await shows(/^status 0$/);
  });

  test('ctrl+z in a program that the view has lent the terminal to stops all of them', async () => {
    const { shows, types, keys, prompts } = await interactiveShell(`lent-${name}`, shell);
    await types(starting(flags));
    await shows(/2 working/);
    await keys(':');
    await types('status --watch');
    await shows(/^adam +working/);
    await keys('C-z');
    await shows(/Stopped/);
    await types('echo $((20 + 22))');
    await shows(/^42$/);
    root.change('adam', { current_prompt: `Lent ${name}` });
    await types('fg');
    await shows(new RegExp(`^adam .*Lent ${name}`));
    await keys('C-c');
    await shows(/press enter/);
    await keys('Enter');
    await shows(/2 working/);
    await keys('Q');
    await prompts();
    await types('echo "status $?"');
    await shows(/^status 0$/);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s reaches the view, which restores the terminal', async (signal, status) => {
    const { pane, shows, types } = await interactiveShell(`${signal}-${name}`, shell);
    await types(`${starting(flags)}; echo "status $?"`);
    await shows(/2 working/);
    // Of the two processes of a launcher, the older one is the launcher.
    process.kill(Math.min(...views().map((line) => Number.parseInt(line, 10))), signal);
    await shows(new RegExp(`^status ${status}$`));
    expect(await state(pane)).toBe(RESTORED);
  });
});

test('a pasted text whose end is lost is shown after a silence, and the next keys are keys again', async () => {
  const view = await openView(outside, root, 'paste');
  await view.shows(/2 working/);
  await view.type('\u001b[200~half of it');
  await view.shows(/^task› half of it/);
  await view.type('!');
  await view.shows(/^task› half of it!/);
  await view.keys('Escape');
  await view.shows(/^› half of it!/);
  await view.keys('Q');
  await view.shows(/status 0/);
});

test('a terminal that is closed ends the view', async () => {
  const view = await openView(outside, root, 'closed');
  await view.shows(/2 working/);
  expect(views()).toHaveLength(1);
  await outside.tmux(['kill-session', '-t', '=closed']);
  await until('the view to end', async () => views().length === 0);
});

test('NO_COLOR keeps the bold and the reversed, and draws no colour', async () => {
  const styles = async (name: string, env: Readonly<Record<string, string>>) => {
    const view = await openView(outside, { dir: root.dir, env: { ...root.env, ...env } }, name);
    await view.shows(/2 working/);
    const captured = await outside.tmux(['capture-pane', '-e', '-p', '-t', `=${name}:`]);
    await view.keys('Q');
    await view.shows(/status 0/);
    const codes = captured.split('\u001b[').flatMap((part) => /^([0-9;]*)m/.exec(part)?.[1]?.split(';') ?? []);
    return new Set(codes.filter((code) => code !== '39' && code !== '49'));
  };
  const isColor = (code: string) => /^(3[0-8]|4[0-8]|9[0-7]|10[0-7])$/.test(code);
  const plain = await styles('plain', { NO_COLOR: '1' });
  expect([...plain].filter(isColor)).toEqual([]);
  expect([...plain]).toEqual(expect.arrayContaining(['1', '7']));
  expect([...(await styles('colored', {}))].some(isColor)).toBe(true);
});
