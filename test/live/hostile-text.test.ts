import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

/** Sets the clipboard and the title, clears the screen, the same with C1 codes, reorders the line, and hides it. */
const ATTACK = '\u001b]52;c;aGFja2Vk\u0007\u001b]0;HACKED\u0007\u001b[1;1H\u001b[2J\u009b2J\u202e\u001b[8m';
const SHOWN = '<U+001B>]52;c;aGFja2Vk<U+0007><U+001B>]0;HACKED<U+0007><U+001B>[1;1H<U+001B>[2J<U+009B>2J<U+202E><U+001B>[8m';

/** In JSON, which is YAML: every character as an escape. */
const yaml = (value: unknown) =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const SCENARIOS = {
  adam: yaml({
    turns: [
      {
        steps: [
          { say: `Done ${ATTACK}` },
          { edit: { path: `evil${ATTACK.replaceAll('/', '')}.txt`, content: 'a\n' } },
          { edit: { path: '.gitattributes', content: '*.ts -diff\n' } },
          { edit: { path: 'src/login.ts', content: `const pаypal = "backdoor"; // ${ATTACK}\n` } },
          { commit: `Add it${ATTACK}\n\nThe body ${ATTACK}` },
        ],
      },
    ],
  }),
  baker: yaml({
    turns: [
      {
        steps: [
          { edit: { path: 'unsaved.txt', content: `unsaved ${ATTACK}\n` } },
          {
            ask: {
              question: `Which one\u001b]52;c;aGFja2Vk\u0007\u001b]0;HACKED\u0007\u202e?`,
              choices: ['Left\u001b]0;HACKED\u0007', 'Right'],
            },
          },
        ],
      },
    ],
  }),
};

/** Everything that commands print in a terminal which lets programs set its clipboard and title. */
async function printed(outside: ScratchTmux, world: World, commands: readonly (readonly string[])[]) {
  const name = 'person';
  const quoted = commands.map((words) => ['"$@"', ...words].join(' ')).join('; ');
  const script = `read go; ${quoted}; echo THE-END; read go`;
  const env = { ...world.env, GIT_PAGER: 'cat' };
  const pane = await outside.start({ name, argv: ['sh', '-c', script, 'sh', process.execPath, COMMAND], cwd: world.dir, env, width: 200 });
  const file = join(outside.directory, 'bytes');
  await outside.tmux(['set-option', '-g', 'set-clipboard', 'on']);
  await outside.tmux(['pipe-pane', '-t', `=${name}:`, `cat > ${file}`]);
  const title = async () => (await outside.tmux(['display-message', '-p', '-t', `=${name}:`, '#{pane_title}'])).trim();
  const before = await title();
  await pane.keys('Enter');
  // As long as one command may take, for each of them.
  await until('all commands to end', async () => readFileSync(file, 'utf8').includes('THE-END'), commands.length * 15_000);
  return { text: readFileSync(file, 'utf8'), titles: [before, await title()], buffers: (await outside.tmux(['list-buffers'])).trim() };
}

const OWN_COLOURS = /\u001b\[(?:[0-27]|2[27]|3[1-69]|90)?m/g;

test('what an agent writes is shown on the terminal, and nothing of it is executed', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'], scenario: SCENARIOS });
  await using outside = await scratchTmux();
  for (const name of ['adam', 'baker']) await world.ok('start', '--worker', name, '--prompt', 'Do it');
  await world.ok('wait', 'adam', '--for', 'needs_review');
  await world.ok('wait', 'baker', '--for', 'needs_input');

  const { text, titles, buffers } = await printed(outside, world, [
    ['status'],
    ['status', '--json'],
    ['why', 'adam', '--full'],
    ['why', 'baker', '--full'],
    ['why', 'baker', '--json'],
    ['wait', 'baker', '--for', 'needs_input', '--quiet'],
    ['review', 'adam'],
    ['review', 'adam', '--stat'],
    ['review', 'adam', '--json'],
    ['answer', 'baker', 'nothing'],
    ['accept', 'adam'],
    ['reset', 'baker', '--yes'],
    ['rescue', 'list'],
    ['rescue', 'show', 'baker'],
    ['logs'],
    ['logs', '--json'],
  ]);

  expect(titles[1]).toBe(titles[0]);
  expect(buffers).toBe('');
  const plain = text.replace(OWN_COLOURS, '').replaceAll('\r\n', '\n');
  expect(plain.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069].{0,40}/g)).toBeNull();
  for (const shown of [
    `adam: Add it${SHOWN} (`,
    `! src/login.ts:1: control characters, shown by their codes: U+001B, U+0007, U+009B`,
    '! src/login.ts:1: letters of another alphabet that look Latin: p<U+0430>ypal',
    '! .gitattributes (added): git obeys this file',
    // Git would call the file binary, by the attribute that the work itself adds.
    `+const p<U+0430>ypal = "backdoor"; // ${SHOWN}`,
    ': Add it<U+001B>]52;c;',
    '+unsaved <U+001B>]52;c;',
  ])
    expect(plain).toContain(shown);
  expect(plain).toMatch(/It asks: Which one<U\+001B>\]52;c;/);

  for (const log of ['adam.log', 'baker.log', 'llmc.log'])
    expect(readFileSync(join(world.root, 'logs', log), 'utf8').match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)).toBeNull();
});

test('a review inside a worktree does not run the pager that an agent configured there, and keeps control characters from difftastic', async () => {
  await using world = await llmcWorld({ workers: ['adam'], scenario: { adam: SCENARIOS.adam } });
  await using outside = await scratchTmux();
  await world.ok('start', '--worker', 'adam', '--prompt', 'Do it', '--wait');
  const canary = join(world.dir, 'ran');
  const cwd = world.worktree('adam');
  await world.gitIn(cwd, 'config', 'core.pager', `touch '${canary}'; cat`);
  world.write('bin/difft', `#!/bin/sh\n[ "$1" = --version ] || touch '${canary}'\n`, world.home);
  chmodSync(join(world.home, 'bin/difft'), 0o755);
  const env = { ...world.env, PATH: `${join(world.home, 'bin')}:${world.env.PATH}`, PAGER: 'sed s/^/paged:/' };
  const pane = await outside.start({
    name: 'person',
    argv: [process.execPath, COMMAND, 'review', 'adam', '--interface', 'difftastic'],
    cwd,
    env,
    width: 200,
  });
  expect(await pane.exit()).toEqual({ status: 0, signal: null });
  expect(existsSync(canary)).toBe(false);
  const printed = await pane.history();
  expect(printed).toContain('The work contains control characters, which difftastic would pass on; this is the plain diff');
  expect(printed).toContain('paged:');
});

test('the JSON of a review is exact', async () => {
  await using world = await llmcWorld({ workers: ['adam'], scenario: { adam: SCENARIOS.adam } });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Do it', '--wait');
  const review = z.object({ message: z.string(), diff: z.string(), warnings: z.array(z.object({ kind: z.string() })) });
  const shown = await world.json(review, 'review', 'adam');
  expect(shown.message).toContain(`Add it${ATTACK}`);
  expect(shown.diff).toContain(`+const pаypal = "backdoor"; // ${ATTACK}\n`);
  expect(new Set(shown.warnings.map(({ kind }) => kind))).toEqual(
    new Set(['control', 'reordering', 'look_alike', 'misleading_name', 'notable']),
  );
});
