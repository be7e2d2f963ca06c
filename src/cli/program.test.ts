import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { buildProgram } from './program.ts';
import type { Input, Verb } from './verb.ts';
import { VERB_GROUPS, VERBS } from './verbs.ts';

/** Pastes examples into a bash in which `llmc` writes down its words, and other programs do nothing. Returns the words of each call. */
function pasted(examples: readonly string[]): readonly (readonly string[])[] {
  const home = mkdtempSync(join(tmpdir(), 'llmc-examples-'));
  try {
    for (const folder of ['.config/fish/completions', 'llmc/workflows']) mkdirSync(join(home, folder), { recursive: true });
    for (const name of ['task.md', 'tasks.md', 'notes.md', 'screen.txt']) writeFileSync(join(home, name), 'text\n');
    const stubs = 'llmc() { printf \'%s\\037\' "$@" >> "$CALLS"; printf \'\\036\' >> "$CALLS"; }\ngh() { :; }\n';
    const { status, stderr } = spawnSync('bash', ['--norc', '-c', `set -e\n${stubs}${examples.join('\n')}\nwait`], {
      cwd: home,
      env: { HOME: home, PATH: '/bin:/usr/bin', CALLS: join(home, 'calls') },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const calls = readFileSync(join(home, 'calls'), 'utf8').split('\u001e').slice(0, -1);
    // `llmc` alone has no verb: printf prints its separator once without words.
    return calls.map((call) => call.split('\u001f').slice(0, -1)).filter(([verb]) => verb !== '');
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** The verb and the input that the parser reads from a command line. */
async function parse(argv: readonly string[]): Promise<{ readonly verb: Verb; readonly input: Input }> {
  const read: { verb: Verb; input: Input }[] = [];
  await buildProgram(VERB_GROUPS, async (verb, input) => void read.push({ verb, input })).parseAsync([...argv], { from: 'user' });
  const [only] = read;
  if (only === undefined || read.length > 1) throw new Error(`llmc ${argv.join(' ')} ran ${read.length} verbs`);
  return only;
}

const helpOf = (name: string): string =>
  buildProgram(VERB_GROUPS, async () => undefined)
    .commands.find((command) => command.name() === name)
    ?.helpInformation() ?? '';

test('every example of every verb can be pasted: bash reads it, and llmc takes each of its words', async () => {
  const calls = pasted(VERBS.flatMap(({ examples }) => examples));
  const verbs = await Promise.all(calls.map(async (argv) => (await parse(argv)).verb.name));
  expect(calls.length).toBeGreaterThan(VERBS.length);
  expect(VERBS.filter(({ name }) => !verbs.includes(name))).toEqual([]);
});

describe('the parser', () => {
  test.each<[readonly string[], string, readonly string[], Readonly<Record<string, string>>]>([
    [['start', 'Fix it', '-w', 'adam'], 'start', ['Fix it'], { worker: 'adam' }],
    [['start', '-wadam', '-fa.md'], 'start', [], { worker: 'adam', promptFile: 'a.md' }],
    [['start', '-'], 'start', ['-'], {}],
    [['reject', 'No', '-w', 'adam'], 'reject', ['No'], { worker: 'adam' }],
    [['accept', 'adam', 'baker', '-m', 'x'], 'accept', ['adam', 'baker'], { message: 'x' }],
    [['ls'], 'status', [], {}],
    [['rm', 'adam', 'baker'], 'nuke', ['adam', 'baker'], {}],
    [['--root', '/trial', 'logs', 'adam'], 'logs', ['adam'], { root: '/trial' }],
  ])('%j', async (argv, name, args, options) => {
    const { verb, input } = await parse(argv);
    expect([verb.name, input.args]).toEqual([name, args]);
    for (const [option, value] of Object.entries(options)) expect(input.text(option)).toBe(value);
  });

  test.each<[readonly string[], readonly string[], string, readonly string[]]>([
    [['start', '--queue', '--after', '7', 'Fix it'], ['Fix it'], 'after', ['7']],
    [['start', '--after', '7', '--after', '8', 'adam', 'Fix it'], ['adam', 'Fix it'], 'after', ['7', '8']],
    [['queue', '--after', '3', 'edit', '4'], ['edit', '4'], 'after', ['3']],
    [['run', '--input', 'a=1', 'swarm', '--input', 'b=2'], ['swarm'], 'input', ['a=1', 'b=2']],
    [['start', '--template', 'fix', '--var', 'area=parser', 'Fix it'], ['Fix it'], 'var', ['area=parser']],
  ])('in %j an option takes no word behind its value', async (argv, args, option, values) => {
    const { input } = await parse(argv);
    expect([input.args, input.list(option)]).toEqual([args, values]);
  });

  test.each<[readonly string[], string]>([
    [['logs', '-f'], 'follow'],
    [['up', '-d'], 'detach'],
    [['clean', '-y'], 'yes'],
    [['-y', 'nuke', '--all'], 'yes'],
  ])('%j sets %s', async (argv, flag) => {
    expect((await parse(argv)).input.flag(flag)).toBe(true);
  });
});

test.each(VERBS.map(({ name }) => name))('the help of %s names its own options and not those of every command', (name) => {
  const verb = VERBS.find((each) => each.name === name);
  const help = helpOf(name);
  for (const { flags } of verb?.options ?? []) expect(help).toContain(`  ${flags}`);
  for (const { flags } of GLOBAL_OPTIONS) if (!verb?.options.some((own) => own.flags === flags)) expect(help).not.toContain(`  ${flags}`);
});
