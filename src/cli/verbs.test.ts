import { describe, expect, test } from 'vitest';
import { configurationReference } from '../config/reference.ts';
import { REQUEST_RULES } from '../supervisor/api/people-only.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { defaultRoot, Shell } from './shell.ts';
import { Input } from './verb.ts';
import { VERBS, verbNamed } from './verbs.ts';

const flagOf = (flags: string) => /--[a-z-]+/.exec(flags)?.[0];

describe('the declarations', () => {
  test('the names of the verbs are unique', () => {
    expect(new Set(VERBS.map(({ name }) => name)).size).toBe(VERBS.length);
  });

  // A code is for a person at a terminal, whatever the option says.
  test('the option that lets agents decide names exactly the verbs that decide', () => {
    const [line = ''] = /^\| `allow_agents_to_decide`.*$/m.exec(configurationReference()) ?? [];
    const named = [...line.matchAll(/`([a-z]+)`/g)].map(([, word]) => word).filter((word) => word !== 'false');
    expect(named.toSorted()).toEqual(VERBS.flatMap(({ name, decides }) => (decides === true && name !== 'code' ? [name] : [])).toSorted());
  });

  test.each(VERBS.map((verb) => [verb.name, verb] as const))('%s says what it does, shows how, and takes no flag twice', (name, verb) => {
    expect(verb.summary).toMatch(/^[a-z].*[^.]$/);
    expect(verb.examples.length).toBeGreaterThan(0);
    // `llmc` alone opens the view.
    for (const example of verb.examples) if (name !== 'ui' || example !== 'llmc') expect(example).toContain(`llmc ${name}`);
    const flags = verb.options.map((option) => flagOf(option.flags));
    expect(new Set(flags).size).toBe(flags.length);
    const letters = [...verb.options, ...GLOBAL_OPTIONS].flatMap((option) => /^-[a-z],/.exec(option.flags) ?? []);
    expect(new Set(letters).size).toBe(letters.length);
    for (const { about } of [...verb.options, ...verb.arguments]) expect(about).not.toBe('');
  });

  test.each(VERBS.map((verb) => [verb.name, verb] as const))('%s: every flag in its examples exists', (_, verb) => {
    const known = [...verb.options, ...GLOBAL_OPTIONS].map((option) => flagOf(option.flags));
    for (const example of verb.examples) for (const flag of example.match(/ --[a-z-]+/g) ?? []) expect(known).toContain(flag.trim());
  });

  // A new verb fails here until its author has said whether it decides.
  test('every verb is either for a person, for anyone, or for a person in some of its uses', () => {
    const inSomeUses = ['up', 'queue', 'message', 'review', 'rescue', 'doctor', 'service', 'send'];
    const decides = [
      'ui',
      'answer',
      'reject',
      'accept',
      'dismiss',
      'undo',
      'rebase',
      'nuke',
      'reset',
      'unpark',
      'run',
      'decide',
      'pause',
      'resume',
      'recover',
      'abort',
      'clean',
      'code',
    ];
    const forAnyone = [
      'init',
      'add',
      'down',
      'status',
      'start',
      'attach',
      'wait',
      'diff',
      'why',
      'logs',
      'search',
      'events',
      'report',
      'workflows',
      'agents',
      'roots',
      'runs',
      'show',
      'checkpoint',
      'sessions',
      'inspect',
      'demo',
      'completion',
    ];
    expect(VERBS.filter((verb) => verb.decides).map(({ name }) => name)).toEqual(decides);
    expect(VERBS.map(({ name }) => name).toSorted()).toEqual([...inSomeUses, ...decides, ...forAnyone].toSorted());
    // The view has no request of its own: its keys are requests of the others. A code is made without one.
    const requests = Object.entries(REQUEST_RULES).flatMap(([name, rule]) => (rule === 'person' ? [name] : []));
    expect(['ui', 'code', ...requests].toSorted()).toEqual(decides.toSorted());
  });
});

test.each([
  ['/trial', 'Continue with: llmc --root /trial up --detach'],
  [undefined, 'Continue with: llmc up --detach'],
  [defaultRoot(), 'Continue with: llmc up --detach'],
])('commands for the root %s', (root, expected) => {
  const options = { json: false, quiet: true, verbose: false, color: false, yes: false, patrol: true, version: '0' };
  const shell = new Shell({ ...options, root, declarations: VERBS }, () => Promise.reject(new Error('asked')));
  expect(shell.atRoot('Continue with: llmc up --detach')).toBe(expected);
});

test('the verbs that quote diffs, screens or scripts keep the commands in them', () => {
  expect(
    VERBS.filter(({ verbatim }) => verbatim)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['completion', 'decide', 'diff', 'inspect', 'rescue', 'review', 'runs', 'search', 'service', 'show', 'why', 'workflows']);
});

describe('the operation that a verb calls', () => {
  const ASKED = new Error('asked');
  const OPTIONS = {
    root: '/nowhere',
    json: true,
    quiet: true,
    verbose: false,
    color: false,
    yes: false,
    patrol: true,
    version: '0',
    declarations: [],
  };

  async function asked(verb: string, args: readonly string[], options: Readonly<Record<string, unknown>> = {}) {
    const calls: { name: string; args: unknown }[] = [];
    const shell = new Shell(OPTIONS, (_, name, given) => {
      calls.push({ name, args: given });
      return Promise.reject(ASKED);
    });
    await expect(VERBS.find(({ name }) => name === verb)?.run(new Input(args, options), shell)).rejects.toBe(ASKED);
    return calls[0];
  }
  const refused = (verb: string, args: readonly string[], options: Readonly<Record<string, unknown>> = {}) => {
    const shell = new Shell(OPTIONS, () => Promise.reject(ASKED));
    return expect(VERBS.find(({ name }) => name === verb)?.run(new Input(args, options), shell)).rejects;
  };

  test('a start with --var refuses the first word that is not name=value, also without a template', async () => {
    const refusal = { code: 'INVALID_ARGUMENT', message: '"a" is not name=value' };
    await refused('start', [], { var: ['a', 'x'] }).toMatchObject(refusal);
    await refused('start', ['Fix it'], { var: ['b=1', 'a'] }).toMatchObject(refusal);
  });

  test.each<[string, string, readonly string[], Readonly<Record<string, unknown>>, object]>([
    ['a task as an argument', 'start', ['Fix the typo'], {}, { name: 'start', args: { prompt: 'Fix the typo', timeoutMs: 120_000 } }],
    ['a task for anybody', 'start', [], { prompt: 'Fix it' }, { name: 'start', args: { prompt: 'Fix it', timeoutMs: 120_000 } }],
    [
      'a task for one, with patience',
      'start',
      [],
      { worker: 'adam', prompt: 'x', timeout: '5m' },
      { args: { worker: 'adam', timeoutMs: 300_000 } },
    ],
    ['a message', 'message', ['adam', 'Hello'], {}, { name: 'message', args: { worker: 'adam', text: 'Hello', timeoutMs: 120_000 } }],
    ['an urgent one', 'message', ['adam', 'Stop'], { now: true }, { args: { now: true } }],
    [
      'feedback',
      'reject',
      ['Handle it'],
      { worker: 'adam' },
      { name: 'reject', args: { worker: 'adam', feedback: 'Handle it', notes: [] } },
    ],
    [
      'remarks on places, and feedback after them',
      'reject',
      [],
      { at: ['a.ts:1', 'Off by one', 'b c.ts:22', 'Why?', 'See the remarks below'] },
      {
        args: {
          feedback: 'See the remarks below',
          notes: [
            { at: 'a.ts:1', text: 'Off by one' },
            { at: 'b c.ts:22', text: 'Why?' },
          ],
        },
      },
    ],
    [
      'remarks alone',
      'reject',
      [],
      { at: ['a.ts:1', 'Off by one'] },
      { args: { feedback: 'See the remarks.', notes: [{ at: 'a.ts:1', text: 'Off by one' }] } },
    ],
    [
      'to wait for what usually ends a wait',
      'wait',
      ['adam'],
      {},
      { args: { statuses: ['needs_review', 'needs_input', 'error', 'idle'], timeoutMs: 86_400_000 } },
    ],
    [
      'to wait for something',
      'wait',
      ['adam'],
      { for: 'idle, error', timeout: '90' },
      { args: { statuses: ['idle', 'error'], timeoutMs: 90_000 } },
    ],
    [
      'to wait for the first of some',
      'wait',
      ['adam', 'baker', 'adam'],
      { any: true, timeout: '1m' },
      {
        name: 'waitAny',
        args: { workers: ['adam', 'baker'], statuses: ['needs_review', 'needs_input', 'error', 'idle'], timeoutMs: 60_000 },
      },
    ],
    [
      'to wait for the first of all: not an idle one',
      'wait',
      [],
      { any: true },
      { name: 'waitAny', args: { workers: [], statuses: ['needs_review', 'needs_input', 'error'] } },
    ],
    ['a reset', 'reset', ['adam'], {}, { name: 'reset', args: { name: 'adam' } }],
    ['an accept of what was reviewed last', 'accept', [], {}, { name: 'accept', args: { worker: undefined } }],
    [
      'an accept of what lost lines',
      'accept',
      ['adam'],
      { allowDropped: true },
      { args: { worker: 'adam', allowDropped: true, requireReview: true } },
    ],
    ['an accept of everything that is clean', 'accept', [], { allClean: true }, { name: 'acceptAll', args: { requireReview: true } }],
    [
      'an accept with words of one’s own',
      'accept',
      ['adam'],
      { message: 'Add the parser' },
      { args: { worker: 'adam', message: 'Add the parser' } },
    ],
  ])('%s', async (_, verb, args, options, expected) => {
    expect(await asked(verb, args, options)).toMatchObject(expected);
  });

  test.each<[string, string, readonly string[], Readonly<Record<string, unknown>>, RegExp]>([
    ['no prompt', 'start', [], {}, /no prompt/],
    ['two prompts', 'start', [], { prompt: 'a', promptFile: 'b' }, /more than one/],
    ['an empty message', 'message', ['adam', '  '], {}, /empty/],
    ['a duration nobody can read', 'message', ['adam', 'x'], { timeout: 'soon' }, /not a duration/],
    ['a status there is not', 'wait', ['adam'], { for: 'happy' }, /no status "happy"/],
    ['a wait for nobody', 'wait', [], {}, /name the workers/],
    ['one message for several commits', 'accept', ['adam', 'baker'], { message: 'x' }, /--message is for one worker/],
    ['an editor for several commits', 'accept', ['adam', 'baker'], { edit: true }, /--edit is for one worker/],
    ['names beside --all-clean', 'accept', ['adam', 'baker'], { allClean: true }, /neither a worker/],
    ['no feedback where nobody can be asked', 'reject', [], {}, /no feedback/],
    ['a remark on no place', 'reject', [], { at: ['here', 'Off by one'] }, /"here" is not a file:line/],
    ['a place with no remark', 'reject', [], { at: ['a.ts:1'] }, /a.ts:1 has no remark/],
    ['words that belong to no place, beside feedback', 'reject', ['Feedback'], { at: ['a.ts:1', 'x', 'y'] }, /"y" has no file:line/],
  ])('refuses %s', async (_, verb, args, options, message) => {
    await refused(verb, args, options).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
  });
});

test('a word names a command by either of its names, and no word names none', () => {
  expect(['init', 'status', 'ls', 'rm', 'nothing'].map((word) => verbNamed(word)?.name)).toEqual([
    'init',
    'status',
    'status',
    'nuke',
    undefined,
  ]);
  expect(verbNamed(undefined)).toBeUndefined();
});

describe('the input of a verb', () => {
  const input = new Input(['a', 'b'], { text: 'x', flag: true, color: false, list: ['1', 2], empty: '' });

  test('is read only as the verb declared it', () => {
    expect(input.args).toEqual(['a', 'b']);
    expect([input.text('text'), input.text('empty'), input.text('flag'), input.text('none')]).toEqual(['x', '', undefined, undefined]);
    expect([input.flag('flag'), input.flag('color'), input.flag('text'), input.flag('none')]).toEqual([true, false, false, false]);
    expect([input.list('list'), input.list('text'), input.list('none')]).toEqual([['1', '2'], [], []]);
  });
});
