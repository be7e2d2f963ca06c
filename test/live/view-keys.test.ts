import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DiffView, openDiff } from '../../src/tui/diff/diff-view.ts';
import { diffKeys } from '../../src/tui/diff/keys.ts';
import { SAMPLE_DIFF, sampleWork } from '../../src/tui/diff/samples.ts';
import { HELP, keysFor } from '../../src/tui/model/keys.ts';
import type { Mode } from '../../src/tui/model/view.ts';
import { asking, Played } from '../../src/tui/samples.ts';
import { longTurn } from '../support/agent-side.ts';
import { type ScratchTmux, scratchTmux } from '../support/scratch-tmux.ts';
import { openView } from '../support/view.ts';
import { perform, press, rest, type Step, type } from '../support/view-keys.ts';
import { llmcWorld, type World } from '../support/world.ts';

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
const FILES = { 'README.md': 'hello\n', 'src/long.txt': `${LINES.join('\n')}\n`, 'src/other.txt': 'one\ntwo\n' };

const replace = (path: string, old: string, by: string) =>
  `      - edit: { path: ${path}, replace: { old: ${JSON.stringify(old)}, new: ${JSON.stringify(by)} } }\n`;
const SCENARIO = {
  adam: `turns:\n  - steps:\n${replace('src/long.txt', 'line 5\n', 'line five\n')}${replace('src/long.txt', 'line 30\n', '  line 30\n')}${replace('src/long.txt', 'line 55\n', `line fifty-five ${'and so on '.repeat(20)}\n`)}${replace('src/other.txt', 'two', 'three')}      - commit: Change the lines\n`,
  ben: 'turns:\n  - steps:\n      - ask: { question: Which color?, choices: [Red, Blue] }\n      - say: Then that one.\n',
  emil: longTurn('emil'),
  carl: 'turns:\n  - steps:\n      - say: Because it is cold.\n',
};

let world: World;
let outside: ScratchTmux;

beforeAll(async () => {
  world = await llmcWorld({ workers: ['adam', 'ben', 'carl', 'dora', 'emil'], source: { files: FILES }, scenario: SCENARIO });
  outside = await scratchTmux();
  await world.ok('start', '--worker', 'emil', 'Something long');
  await world.ok('start', '--worker', 'ben', 'Run it');
  await world.ok('start', '--worker', 'adam', 'Change the lines', '--wait');
  await world.ok('start', 'carl', 'Why is it slow?', '--expect', 'answer', '--wait');
  await world.ok('wait', 'ben', '--for', 'needs_input');
});
afterAll(async () => {
  await outside?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

const COVERED: readonly Step[] = [
  press('list', '?', /keys, and the command that does the same/),
  press('text', 'j', /a +accept the work/),
  press('text', 'k', /Decide/),
  press('text', 'esc', { no: /keys, and the command/ }),
  press('list', '$', /what the agents use/),
  press('text', 'esc', { no: /what the agents use/ }),
  press('list', 'R', /^ 1 repository/),
  press('roots', 'esc', { no: /^ 1 repository/ }),
  press('list', 'A', /This is your only repository/),
];

const MOVES: readonly Step[] = [
  press('list', 'j', { selected: 'adam' }),
  press('list', 'k', { selected: 'ben' }),
  press('list', '↓', { selected: 'adam' }),
  press('list', '↑', { selected: 'ben' }),
  press('list', 'G', { selected: 'dora' }),
  press('list', 'g', { selected: 'ben' }),
  press('list', '/', /^filter›/),
  type('dora', { no: /adam +new work|adam +to review/ }),
  press('typing', 'enter', { no: /^filter›/ }),
  press('list', 'esc', /adam +(new work|to review)/),
];

const PANES: readonly Step[] = [
  press('list', 'g', { tab: 'screen' }),
  press('list', 'tab', { tab: 'diff' }),
  press('list', ']', { tab: 'talk' }),
  press('list', '[', { tab: 'diff' }),
  press('list', 'shift+tab', { tab: 'screen' }),
  press('list', '[', { tab: 'log' }),
  press('list', '[', { tab: 'why' }),
  press('list', 'e', 'another pane'),
  press('list', 'J', 'another pane'),
  press('list', 'K', 'another pane'),
  press('list', 'ctrl+d', 'another pane'),
  press('list', 'ctrl+u', 'another pane'),
  press('list', 'e', 'another pane'),
  press('list', '→', /esc back/),
  press('list', '←', /→ into the pane/),
  press('list', 'l', /esc back/),
  press('list', 'h', /→ into the pane/),
  press('list', 'l', /esc back/),
  press('list', 'esc', /→ into the pane/),
];

const DIFF: readonly Step[] = [
  press('list', 'j', /\+line five/),
  press('list', '→', /esc back/),
  press('diff', 'j', 'another pane'),
  press('diff', 'k', 'another pane'),
  press('diff', '↓', 'another pane'),
  press('diff', '↑', 'another pane'),
  press('diff', 'end', 'another pane'),
  press('diff', 'home', 'another pane'),
  press('diff', 'G', 'another pane'),
  press('diff', 'g', 'another pane'),
  press('diff', 'page-down', 'another pane'),
  press('diff', 'page-up', 'another pane'),
  press('diff', 'ctrl+d', 'another pane'),
  press('diff', 'ctrl+u', 'another pane'),
  press('diff', 'N', 'another pane'),
  press('diff', 'P', 'another pane'),
  press('diff', 'J', 'another pane'),
  press('diff', 'J', 'another pane'),
  press('diff', 'K', 'another pane'),
  press('diff', 'j', 'another pane'),
  press('diff', 'v', /1 selected/),
  press('diff', 'j', /^\* +2 +2 {2}line 2/),
  press('diff', 'c', /^comment on src\/long\.txt:3›/),
  type('Too loud', /Too loud/),
  press('typing', 'enter', { no: /^comment on/ }),
  press('diff', 'x', { no: /Too loud/ }),
  press('diff', 'f', 'another pane'),
  press('files', '←', 'another pane'),
  press('files', '←', 'another pane'),
  press('files', '→', 'another pane'),
  press('files', 'f', 'another pane'),
  press('diff', 'f', 'another pane'),
  press('files', 'enter', 'another pane'),
  press('diff', 'o', 'another pane'),
  press('head', 'o', 'another pane'),
  press('diff', 's', 'another pane'),
  press('diff', 's', 'another pane'),
  press('diff', 'G', 'another pane'),
  press('diff', 'P', 'another pane'),
  press('diff', 'J', 'another pane'),
  press('diff', 'w', 'another pane'),
  press('diff', 'w', 'another pane'),
  press('diff', 'end', 'another pane'),
  press('diff', 'P', 'another pane'),
  press('diff', 'K', 'another pane'),
  press('diff', 'W', 'another pane'),
  press('diff', '→', 'another pane'),
  press('diff', '←', 'another pane'),
  press('diff', 'W', 'another pane'),
  press('pane', '/', /^search here›/),
  type('line', /^search here› line/),
  press('typing', 'enter', /\/line \d+\/\d+/),
  press('pane', 'n', 'another pane'),
  press('pane', 'N', 'another pane'),
  press('pane', 'esc', { no: /\/line \d+\/\d+/ }),
  press('list', 'z', /zoomed · adam/),
  press('list', 'z', { no: /zoomed/ }),
  press('diff', 'e', /The work of adam lands with this message/),
  press('diff', 'esc', /→ into the pane/),
];

const tasksFile = () => join(world.dir, 'tasks.md');

const tasks = (): readonly Step[] => [
  press('list', 'n', /^task›/),
  press('typing', 'tab', /^task agent: demo · model: any›/),
  press('typing', 'shift+tab', /llmc knows no models of this agent/),
  press('typing', 'tab', /^task agent: claude · model: any›/),
  press('typing', 'shift+tab', /^task agent: claude · model: opus›/),
  press('typing', 'tab', /^task agent: codex · model: any›/),
  press('typing', 'tab', /^task›/),
  type('One', /^task› One/),
  press('typing', 'alt+enter', { no: /^task› One$/ }),
  type('Two', /^task› One.+Two/),
  press('typing', 'ctrl+e', /^task› Edited text/),
  press('typing', 'esc', /^› Edited text/),
  press('list', 'n', /^task› Edited text/),
  press('typing', 'enter', /dora .*Edited text/),
  press('list', 'n', /^task›/),
  type(`@${tasksFile()}`, /tasks\.md/),
  press('typing', 'enter', /No worker is idle\. Add one \(bea, demo\)\? \[Y\/n\/q\]/),
  press('confirm', 'q', /2 queued/),
  press('list', 'q', /queue: 2 tasks wait/),
  press('queue', 'j', 'another pane'),
  press('queue', 'k', 'another pane'),
  press('queue', 'J', /Second.*First/s),
  press('queue', 'K', /First.*Second/s),
  press('queue', 'e', /^task \d+› First/),
  press('typing', 'esc', /queue: 2 tasks wait/),
  press('queue', 'x', /Cancel task \d+\? \[y\/N\]/),
  press('confirm', 'n', /Nothing was changed\./),
  press('queue', 'x', /Cancel task \d+\? \[y\/N\]/),
  press('confirm', 'y', /queue: 1 task waits/),
  press('queue', 'x', /Cancel task \d+\? \[y\/N\]/),
  press('confirm', 'y', /No task waits/),
  press('queue', 'n', /^task›/),
  press('typing', 'esc', { no: /^task›/ }),
  press('list', 'q', /No task waits/),
  press('queue', 'q', { no: /No task waits/ }),
];

const MESSAGES: readonly Step[] = [
  press('list', '/', /^filter›/),
  type('emil', { no: /adam +(new work|to review)/ }),
  press('typing', 'enter', { no: /^filter›/ }),
  press('list', 'm', /^message to emil›/),
  type('Hurry up', /› Hurry up/),
  press('typing', 'enter', /Queued for emil: the agent is busy/),
  press('list', 'q', /queue: 1 message waits/),
  press('queue', 'e', /^message \w+ to emil› Hurry up/),
  type(' now', /Hurry up now/),
  press('typing', 'enter', /^ \w+ +emil +Hurry up now/),
  press('queue', 'x', /Cancel message \w+ to emil\? \[y\/N\]/),
  press('confirm', 'y', /No task waits/),
  press('queue', 'q', { no: /No task waits/ }),
  press('list', 'esc', /adam +(new work|to review)/),
];

const REST: readonly Step[] = [
  press('list', 'S', /^search all tasks, answers and logs›/),
  type('cold', /› cold/),
  press('typing', 'enter', /^ llmc search cold/),
  press('text', 'esc', { no: /^ llmc search cold/ }),
  press('list', ':', /^: llmc›/),
  type('queu', /^: llmc› queu/),
  press('typing', 'tab', /^: llmc› queue *$/),
  press('typing', 'enter', /^ llmc queue/),
  press('text', 'esc', { no: /^ llmc queue/ }),
  press('list', 'M', { mouse: false }),
  press('list', 'M', { mouse: true }),
];

const DECIDE: readonly Step[] = [
  press('list', 'g', { selected: 'ben' }),
  press('list', 'space', /^answer to ben›/),
  press('typing', 'esc', { no: /^answer to ben›/ }),
  press('list', 'm', /^message to ben›/),
  press('typing', 'esc', { no: /^message to ben›/ }),
  press('list', '9', /There is no answer 9\./),
  press('list', '1', /▶ 1 Red/),
  press('choice', '2', /▶ 2 Blue/),
  press('choice', 'esc', { no: /▶/ }),
  // Not only selected: its work takes a moment to load.
  press('list', 'j', /▌adam .*\n[12]\/2 .*src\//s),
  press('list', 'r', /^what should adam change›/),
  press('typing', 'esc', { no: /^what should adam change›/ }),
  rest('the work'),
  press('list', 'a', /adam: landed [0-9a-f]{12} on main: Edited text/),
  press('list', 'u', /Take .*"Edited text".* \[y\/N\]/),
  press('confirm', 'n', /Nothing was changed\./),
  press('list', 'g', { selected: 'ben' }),
  press('list', '1', /▶ 1 Red/),
  rest('the question'),
  press('choice', 'enter', { no: /▶|ben +asks/ }),
  press('list', '/', /^filter›/),
  type('carl', /^carl: an answer/),
  press('typing', 'enter', { no: /^filter›/ }),
  rest('the answer'),
  press('list', 'd', /carl +idle/),
  press('list', 'enter', /demo agent · \/exit to leave/),
];

/** What is shown elsewhere: by a test with a terminal, or by a pure one. */
const ELSEWHERE: readonly { readonly in: string; readonly key: string; readonly shown: string }[] = [
  { in: 'list', key: 'Q', shown: 'the end of the live test below' },
  { in: 'list', key: 'ctrl+c', shown: 'test/live/view-terminal.test.ts' },
  { in: 'list', key: 'ctrl+z', shown: 'test/live/view-terminal.test.ts' },
  { in: 'list', key: 'ctrl+l', shown: 'the end of the live test below' },
  { in: 'typing', key: '@file', shown: 'the task @tasks.md in the live test below' },
  { in: 'diff', key: 't', shown: 'test/live/view-review.test.ts' },
  { in: 'choice', key: 'j', shown: 'pure: src/tui/draw/draw.test.ts, j and k scroll a question' },
  { in: 'choice', key: 'k', shown: 'pure: src/tui/draw/draw.test.ts, j and k scroll a question' },
  ...['enter', 'A', 's', 'j', 'k'].map((key) => ({ in: 'roots', key, shown: 'test/live/view-roots.test.ts' })),
  { in: 'choice', key: '1', shown: 'pure: src/tui/model/update.test.ts, a digit marks an answer' },
  { in: 'choice', key: '9', shown: 'pure: src/tui/model/update.test.ts, there is no answer 9' },
];

const PLACES: Readonly<Record<string, string>> = { 'In the diff': 'diff', 'In the pane': 'pane' };

/** The places of the keys that the help indents below another key. */
const BELOW: Readonly<Record<string, string>> = { Decide: 'choice', Tasks: 'typing' };

const keysIn = (place: string, text: string): readonly string[] =>
  (text === 'any other key' ? 'n' : text)
    .split(/[\s/…]+/)
    .filter((key) => key !== '' && key !== 'then')
    .map((key) => `${place} ${key}`);

function namedInHelp(): readonly string[] {
  return HELP.flatMap(({ heading, keys }) =>
    keys.flatMap(({ key }) => {
      const place = PLACES[heading] ?? (key.startsWith(' ') ? (BELOW[heading] ?? 'list') : 'list');
      // A slash is a key here, and between two keys in the footer.
      return key === '/' ? [`${place} /`] : keysIn(place, key);
    }),
  );
}

function namedInFooter(): readonly string[] {
  const hints = (place: string, played: Played) => keysFor(played.view).flatMap(({ key }) => keysIn(place, key));
  const asks = new Played([asking('ben')]).press('1');
  const queue: Mode = { kind: 'queue', tasks: [], messages: [], at: 0 };
  const confirm: Mode = { kind: 'confirm', question: '', effect: { kind: 'quit' }, below: queue };
  const inMode = (mode: Mode) => Object.assign(new Played([]), { view: { ...new Played([]).view, mode } });
  const diff = openDiff(sampleWork({ diff: SAMPLE_DIFF }));
  const ofDiff = (place: string, view: DiffView) => diffKeys(view).flatMap(({ keys }) => keysIn(place, keys));
  return [
    ...hints('typing', new Played([]).press('n')),
    ...hints('choice', asks),
    ...hints('queue', inMode(queue)),
    ...hints('roots', inMode({ kind: 'roots', marked: undefined })),
    ...hints('confirm', inMode(confirm)),
    ...hints('text', new Played([]).press('?')),
    ...ofDiff('diff', { ...diff, isWrapped: false }),
    ...ofDiff('files', { ...diff, focus: 'files' }),
  ];
}

test('each key that the help or the footer names has a live row, or says where it is shown', () => {
  const live = [COVERED, MOVES, PANES, DIFF, tasks(), MESSAGES, REST, DECIDE]
    .flat()
    .flatMap((step) => ('key' in step ? [`${step.in} ${step.key}`] : []));
  const elsewhere = ELSEWHERE.map(({ in: place, key }) => `${place} ${key}`);
  const shown = [...live, ...elsewhere];
  expect([...namedInHelp(), ...namedInFooter()].filter((key) => !shown.includes(key))).toEqual([]);
});

test('every key of the view does what the help says', async () => {
  const editor = join(world.dir, 'editor');
  writeFileSync(editor, '#!/bin/sh\necho Edited text > "$1"\n');
  chmodSync(editor, 0o755);
  writeFileSync(tasksFile(), 'First of the file\n---\nSecond of the file\n');
  const view = await openView(outside, { dir: world.dir, env: { ...world.env, EDITOR: editor, TMUX: `${outside.socket},1,0` } }, 'keys', {
    width: 80,
    height: 24,
  });
  await view.shows(/1 asks/);
  // Inside tmux too, also where it attaches to an agent.
  for (const steps of [COVERED, MOVES, PANES, DIFF, tasks(), MESSAGES, REST, DECIDE]) await perform(steps, view, outside);
  // In the terminal of the agent, out of it again, and to work that changed on the disk alone.
  await view.keys('C-b', 'd');
  await view.shows(/Back from carl\./);
  await perform([press('list', 'tab', { tab: 'talk' }), press('list', '[', { tab: 'diff' })], view, outside);
  await view.shows(/^No change\./);
  world.write('unheard-of.txt', 'x\n', world.worktree('carl'));
  await perform([press('list', 'ctrl+l', /unheard-of\.txt/), press('list', 'Q', /^status 0/)], view, outside);
});
