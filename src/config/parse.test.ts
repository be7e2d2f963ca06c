import { describe, expect, test } from 'vitest';
import { LlmcError } from '../base/error.ts';
import { parseConfig, readConfigText } from './parse.ts';
import { ANSWERABLE, answersFor } from './question-options.ts';

const REPO = '[repo]\nsource = "/src"\n';
const DECLARED = `${REPO}[agents.mine]\ncommand = "demo"\nready = ['^> ']\nbox = '^> (.*)$'\n`;

function problems(text: string): readonly string[] {
  const reading = readConfigText(text);
  return reading.kind === 'valid' ? [] : reading.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('a valid configuration', () => {
  test('gets every default when only the source is given', () => {
    expect(parseConfig(REPO, 'config.toml')).toEqual({
      defaults: {
        agent: 'claude',
        skipPermissions: true,
        allowedTools: ['Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep'],
        rolePrompt: '',
        excludedFromPool: false,
        patrolIntervalSecs: 60,
        soundOnReview: true,
        canary: true,
        allowAgentsToDecide: false,
      },
      repo: {
        source: '/src',
        copyFiles: [],
        setup: [],
        format: [],
        validate: [],
        landing: 'main',
        landingBranch: '{worker}/{task}',
        afterAccept: [],
        attribution: expect.arrayContaining(['Co-Authored-By:*<noreply@*>']),
        conflictPatienceSecs: 300,
        conflicts: [],
        resolveConflicts: true,
        commandTimeoutSecs: 1_800,
      },
      sandbox: {
        kind: 'none',
        user: 'llmc-agent',
        home: 'hidden',
        network: 'full',
        hosts: [],
        required: false,
        readable: [],
        writable: [],
      },
      pool: { max: 0, keepSecs: 300 },
      pane: { width: 200, height: 50 },
      notify: { desktop: false, tmux: false, terminal: false, command: '', quiet: '', digestSecs: 60 },
      delivery: {
        debounceBaseMs: 150,
        debouncePerKbMs: 2,
        maxDebounceMs: 2_000,
        enterRetryCount: 3,
        enterRetryDelayMs: 200,
        ackTimeoutMs: 2_000,
      },
      budget: { tokensPerDay: 0, costUsdPerDay: 0, memoryMbPerWorker: 0, prices: {} },
      people: { scripts: [] },
      recovery: {
        deliveryAttempts: 3,
        maxCrashes: 3,
        crashBackoffSecs: [0, 10],
        rateLimitWaitSecs: 300,
        failedTurnBackoffSecs: [60, 120, 300, 600, 1_200, 1_800],
        backoffJitter: 0.2,
        contextFull: 'ask',
        stuckSecs: [1_800, 2_100, 2_400, 2_700],
        holdPersonSecs: 60,
        holdTypingSecs: 600,
        holdStartSecs: 300,
        holdRestartSecs: 900,
        holdBusySecs: 3_600,
        holdLimitSecs: 1_800,
      },
      // Its own test reads like the table.
      workflow: expect.objectContaining({ maxAgents: 4, retryableErrors: expect.arrayContaining(['DATABASE_ERROR']) }),
      report: { redact: [] },
      agents: {},
      workers: {},
    });
  });

  test('keeps names of agents, workers and variables as they are written', () => {
    const text = `${REPO}[agents.my_claude]\nextends = "claude"\nenv = { SOME_key = "v" }\n[workers.baker-2]\nrole_prompt = "r"\n`;
    const config = parseConfig(text, 'config.toml');
    expect(config.agents).toEqual({ my_claude: { extends: 'claude', args: [], env: { SOME_key: 'v' } } });
    expect(config.workers).toEqual({ 'baker-2': { rolePrompt: 'r' } });
  });

  test('may declare an agent by its command alone', () => {
    expect(problems(`${REPO}[agents.mine]\ncommand = "mine"`)).toEqual([]);
    expect(problems(`${REPO}[agents.mine]\ncommand = "mine"\nready = ["> "]\nquiet_secs = 5\nmultiline = true`)).toEqual([]);
  });

  test('may declare an agent, and a variant of it', () => {
    const text = `${DECLARED}args = ["{model}", '{"a": 1}', "{}"]\nstart_args = ["{id}"]\nwipe_keys = ["C-u", "M-Left"]\n[agents.fast]\nextends = "mine"\n[workers.adam]\nagent = "fast"`;
    expect(problems(text)).toEqual([]);
  });

  test('may begin with a byte order mark and use CRLF', () => {
    expect(parseConfig(`\uFEFF${REPO.replaceAll('\n', '\r\n')}`, 'config.toml').repo.source).toBe('/src');
  });
});

describe('a problem is reported with its line, its column and what was expected', () => {
  test.each<[string, string, string]>([
    ['text that is not TOML', '[repo\nsource = 1', '1:6 not valid TOML: illegal character in key'],
    ['an unknown table', `${REPO}[pan]\nwidth = 1`, '3:2 unknown key "pan" at the top level; did you mean "pane"?'],
    ['a misspelt key', `${REPO}[defaults]\nmodle = "x"`, '4:1 unknown key "modle" in [defaults]; did you mean "model"?'],
    [
      'a key in camel case',
      `${REPO}[workers.adam]\n  skipPermissions = true`,
      '4:3 unknown key "skipPermissions" in [workers.adam]; did you mean "skip_permissions"?',
    ],
    [
      'an attribution of nothing but a star',
      `${REPO}attribution = ["*"]`,
      '3:16 repo.attribution[0]: found the string "*", expected the text of a line, with * for any text',
    ],
    ['a key in the wrong table', `${REPO}width = 100`, '3:1 unknown key "width" in [repo]; it belongs in [pane]'],
    ['a key nobody knows', `${REPO}[pane]\ncolour = 1`, '4:1 unknown key "colour" in [pane]; expected one of width, height'],
    ['a dotted key', `${REPO}[workers]\nadam.modle = "x"`, '4:6 unknown key "modle" in [workers.adam]; did you mean "model"?'],
    [
      'a key in an inline table',
      `${REPO}[workers]\nadam = { agent = "demo", modle = "x" }`,
      '4:26 unknown key "modle" in [workers.adam]; did you mean "model"?',
    ],
    [
      'a pool of more workers than llmc makes',
      `${REPO}[pool]\nmax = 101`,
      '4:7 pool.max: found the number 101, expected an integer from 0 to 100',
    ],
    ['a pool of half a worker', `${REPO}[pool]\nmax = 1.5`, '4:7 pool.max: found the number 1.5, expected an integer from 0 to 100'],
    [
      'an agent of the pool that nothing declares',
      `${REPO}[pool]\nagent = "codx"`,
      '4:9 pool.agent: there is no agent "codx"; did you mean "codex"?',
    ],
    [
      'a string for an integer',
      `${REPO}[defaults]\npatrol_interval_secs = "60"`,
      '4:24 defaults.patrol_interval_secs: found the string "60", expected an integer from 1 to 86400',
    ],
    [
      'a number out of range',
      `${REPO}[pane]\nwidth = 39 # narrow`,
      '4:9 pane.width: found the number 39, expected an integer from 40 to 1000',
    ],
    ['a fraction', `${REPO}[pane]\nheight = 50.5`, '4:10 pane.height: found the number 50.5, expected an integer from 10 to 500'],
    [
      'a string for a flag',
      `${REPO}[defaults]\nskip_permissions = "yes"`,
      '4:20 defaults.skip_permissions: found the string "yes", expected true or false',
    ],
    ['a string for tables', `${REPO}conflicts = "main"`, '3:13 repo.conflicts: found the string "main", expected a list of tables'],
    [
      'an unknown rule',
      `${REPO}[[repo.conflicts]]\nfiles = "a"\nrule = "main"\n[[repo.conflicts]]\nfiles = ["b"]\nrule = "ours"`,
      '8:8 repo.conflicts[1].rule: found the string "ours", expected one of "main", "worker", "regenerate"',
    ],
    [
      'a misspelt rule',
      `${REPO}[[repo.conflicts]]\nfiles = "a"\nrule = "workr"`,
      '5:8 repo.conflicts[0].rule: found the string "workr", expected one of "main", "worker", "regenerate"; did you mean "worker"?',
    ],
    [
      'a rule without files, in the second table',
      `${REPO}[[repo.conflicts]]\nfiles = "a"\nrule = "main"\n[[repo.conflicts]]\nrule = "main"`,
      '6:1 repo.conflicts[1].files is missing; expected a string that is not empty or a list of strings that is not empty',
    ],
    [
      'a rule without its command',
      `${REPO}[[repo.conflicts]]\nfiles = "a"\nrule = "regenerate"`,
      '3:1 repo.conflicts[0].command is missing; expected the command that makes the files again',
    ],
    [
      'a command without its rule',
      `${REPO}[[repo.conflicts]]\nfiles = "a"\nrule = "main"\ncommand = "npm i"`,
      '6:1 repo.conflicts[0].command: the rule "main" runs no command; remove it, or set rule = "regenerate"',
    ],
    [
      'a glob outside of the repository',
      `${REPO}[[repo.conflicts]]\nfiles = "a/../../b"\nrule = "main"`,
      '4:9 repo.conflicts[0].files: found the string "a/../../b", expected a glob below the top of the repository, such as "**/package-lock.json"',
    ],
    ['a string for a list', `${REPO}setup = "npm ci"`, '3:9 repo.setup: found the string "npm ci", expected a list of strings'],
    [
      'an element of a list',
      `${REPO}setup = [\n  "npm ci", # width = 1\n  7,\n]`,
      '5:3 repo.setup[1]: found the number 7, expected a string',
    ],
    ['a table for a string', `${REPO}[defaults.model]\nname = "opus"`, '3:11 defaults.model: found a table, expected a string'],
    ['a string for a table', 'pane = "big"\n[repo]\nsource = "/src"', '1:8 pane: found the string "big", expected a table'],
    ['a list of tables for a table', `${REPO}[[workers]]\nmodel = "x"`, '3:3 workers: found a list, expected a table'],
    ['a date', `${REPO}[defaults]\nmodel = 2026-01-01`, '4:9 defaults.model: found a date, expected a string'],
    ['a missing key', '# nothing\n[repo]\nbranch = "main"', '2:2 repo.source is missing; expected a string that is not empty'],
    ['a missing table', '[pane]\nwidth = 100', '1:1 repo is missing; expected a table'],
    [
      'a relative source',
      '[repo]\nsource = "../x"',
      '2:10 repo.source: found the string "../x", expected an absolute path, or one that starts with ~/',
    ],
    [
      'a name that is none',
      `${REPO}[workers.Adam]`,
      '3:10 the name "Adam" cannot be used: expected a worker name: a lower-case letter, then up to 31 of a-z, 0-9 and "-"',
    ],
    ['a name kept for llmc', `${REPO}[workers.llmc]`, '3:10 the name "llmc" cannot be used: this name is kept for llmc itself'],
    [
      'key-like text before the key',
      `${REPO}[defaults]\nrole_prompt = """\nmodle = 1\n"""\nmodle = 2`,
      '7:1 unknown key "modle" in [defaults]; did you mean "model"?',
    ],
    [
      'an unknown agent',
      `${REPO}[workers.adam]\nagent = "cluade"`,
      '4:9 workers.adam.agent: there is no agent "cluade"; did you mean "claude"?',
    ],
    [
      'an agent that extends nothing and has no command',
      `${REPO}[agents.mine]\nargs = ["mine"]`,
      '3:9 agents.mine: "mine" is not built in, so it needs extends = one of claude, codex, demo, or a command to declare it (docs/agents.md)',
    ],
    [
      'a built-in agent that extends',
      `${REPO}[agents.demo]\nextends = "claude"`,
      '4:11 agents.demo.extends: "demo" is built in and extends nothing',
    ],
    [
      'an agent that is its own fallback',
      `${REPO}[agents.demo]\nfallback = "demo"`,
      '4:12 agents.demo.fallback: an agent cannot be its own fallback',
    ],
    [
      'a missing fallback',
      `${REPO}[agents.demo]\nfallback = "demon"`,
      '4:12 agents.demo.fallback: there is no agent "demon"; did you mean "demo"?',
    ],
    [
      'a declared agent without a word on when it is ready',
      `${DECLARED.replace('ready', 'busy')}`,
      '3:9 agents.mine.ready is missing; expected patterns of a screen that waits for a prompt, because box is used only with it',
    ],
    [
      'one with a part of its input line, without the line',
      `${REPO}[agents.mine]\ncommand = "mine"\nready = ["> "]\nfolded = "x"`,
      '3:9 agents.mine.box is missing; expected a pattern of the input line, with a group around its text, because box_more and folded are used only with it',
    ],
    [
      'a time of silence without a number',
      `${REPO}[agents.mine]\ncommand = "mine"\nquiet_secs = 0`,
      '5:14 agents.mine.quiet_secs: found a number, expected an integer from 1 to 3600',
    ],
    ['one without a program', DECLARED.replace('command', 'fallback'), '3:9 agents.mine.command is missing; expected the program to start'],
    [
      'an empty list of patterns',
      DECLARED.replace("['^> ']", '[]'),
      '5:9 agents.mine.ready: found a list, expected a list of strings that is not empty',
    ],
    [
      'a pattern that is none',
      DECLARED.replace("['^> ']", "[\n  'fine',\n  '(',\n]"),
      '7:3 agents.mine.ready[1]: found a string, expected a regular expression: Unterminated group',
    ],
    [
      'an empty pattern',
      DECLARED.replace("'^> '", "''"),
      '5:10 agents.mine.ready[0]: found a string, expected a regular expression: it is empty',
    ],
    [
      'an input line without a group',
      DECLARED.replace('(.*)', '.*'),
      '6:7 agents.mine.box: found a string, expected a regular expression: a group ( ) around the text in the box is missing',
    ],
    [
      'a word in braces that means nothing',
      `${DECLARED}resume_args = ["--resume", "{session}"]`,
      '7:28 agents.mine.resume_args[1]: found an unknown word in braces, expected one of {id}, {model}, {role_prompt}, {worktree}',
    ],
    [
      'a key tmux would type as letters',
      `${DECLARED}wipe_keys = ["Esc"]`,
      '7:14 agents.mine.wipe_keys[0]: found a string, expected the name tmux has for a key, such as "Escape", "Enter", "C-c", "M-x"',
    ],
    [
      'patterns for a variant',
      `${REPO}[agents.mine]\nextends = "claude"\nbusy = ["x"]`,
      '5:1 agents.mine.busy: "mine" extends "claude", whose adapter knows this; expected only in a declared agent',
    ],
    [
      'patterns for a built-in agent',
      `${REPO}[agents.claude]\nready = ["x"]`,
      '4:1 agents.claude.ready: "claude" is built in, whose adapter knows this; expected only in a declared agent',
    ],
  ])('%s', (_, text, expected) => {
    expect(problems(text)).toEqual([expected]);
  });

  test.each([
    [
      'an answer that the question does not offer',
      `[workflow.answers.timeout]\noption = "exted"\nafter_secs = 60`,
      '4:10 workflow.answers.timeout.option: found the string "exted", expected one of extend, restart, skip, abort; did you mean "extend"?',
    ],
    [
      'an answer of another question',
      `[workflow.answers]\nresource = { option = "accept", after_secs = 60 }`,
      '4:23 workflow.answers.resource.option: found the string "accept", expected one of wait, abort, restart, skip',
    ],
    [
      'an answer to a question that no run asks',
      `[workflow.answers.limit]\noption = "skip"\nafter_secs = 60`,
      '3:19 unknown key "limit" in [workflow.answers]; no question has this type: a review with remarks after its last round asks as "unmet"',
    ],
    [
      'an answer to a question that only a person decides',
      `[workflow.answers.approval]\noption = "approve"\nafter_secs = 60`,
      '3:19 unknown key "approval" in [workflow.answers]; questions of this type always wait for a person',
    ],
    [
      'a misspelt question',
      `[workflow.answers.timout]\noption = "skip"\nafter_secs = 60`,
      '3:19 unknown key "timout" in [workflow.answers]; did you mean "timeout"?',
    ],
  ])('%s', (_, text, expected) => {
    expect(problems(`${REPO}${text}`)).toEqual([expected]);
  });

  test('every answer that a question can offer is accepted', () => {
    for (const type of ANSWERABLE)
      for (const option of answersFor(type))
        expect(problems(`${REPO}[workflow.answers.${type}]\noption = "${option}"\nafter_secs = 0`)).toEqual([]);
  });

  test('agents that extend each other are reported on both', () => {
    expect(problems(`${REPO}[agents.a]\nextends = "b"\n[agents.b]\nextends = "a"`)).toEqual([
      '4:11 agents.a.extends: the chain of extends leads back to "a"',
      '6:11 agents.b.extends: the chain of extends leads back to "b"',
    ]);
  });

  test('a column counts from the start of its own line, after wide characters too', () => {
    expect(problems(`${REPO}[workers]\nadam = { role_prompt = "é😀", modle = "x" }`)[0]).toMatch(/^4:31 /);
  });
});

describe('all problems of a file are reported at once: the shape and what it names', () => {
  test('in different tables', () => {
    const text = `[repo]\nsorce = "/src"\n[pane]\nwidth = 1\n[workers.adam]\nagent = "cluade"\n[workflow.answers.timeout]\noption = "wait"\nafter_secs = 60`;
    expect(problems(text)).toEqual([
      '2:1 unknown key "sorce" in [repo]; did you mean "source"?',
      '4:9 pane.width: found the number 1, expected an integer from 40 to 1000',
      '6:9 workers.adam.agent: there is no agent "cluade"; did you mean "claude"?',
      '8:10 workflow.answers.timeout.option: found the string "wait", expected one of extend, restart, skip, abort',
    ]);
  });

  test('in the same table', () => {
    expect(problems(`${REPO}[workers.adam]\nagnt = "x"\nagent = "cluade"`)).toEqual([
      '4:1 unknown key "agnt" in [workers.adam]; did you mean "agent"?',
      '5:9 workers.adam.agent: there is no agent "cluade"; did you mean "claude"?',
    ]);
  });

  test('in elements of a list, each at its own place', () => {
    const rule = (rest: string) => `[[repo.conflicts]]\n${rest}\n`;
    const text = `${REPO}${rule('files = ["a"]')}${rule('files = ["b"]\nrule = "regenerate"')}${rule('files = ["c"]\nrule = "regenerat"')}${rule('files = ["d"]\nrule = "main"\ncommand = "make"')}`;
    expect(problems(text).map((line) => line.replace(/; .*/, ''))).toEqual([
      '3:1 repo.conflicts[0].rule is missing',
      '5:1 repo.conflicts[1].command is missing',
      expect.stringMatching(/^10:8 repo.conflicts\[2\].rule: found the string "regenerat"/),
      '14:1 repo.conflicts[3].command: the rule "main" runs no command',
    ]);
  });

  test('but nothing that only follows from another problem', () => {
    expect(problems(`${REPO}[agents.mine]\ncomand = "mine"\nready = ["x"]\n[workers.adam]\nagent = "mine"`)).toEqual([
      '4:1 unknown key "comand" in [agents.mine]; did you mean "command"?',
    ]);
    expect(problems(`${REPO}[agents]\nmine = 3\n[workers.adam]\nagent = "mine"`)).toEqual([
      expect.stringMatching(/^4:8 agents.mine: found/),
    ]);
  });
});

describe('the error for a file', () => {
  function failure(text: string): LlmcError {
    try {
      parseConfig(text, '/root/config.toml');
    } catch (error) {
      if (error instanceof LlmcError) return error;
    }
    throw new Error('the text was accepted');
  }

  test('leads with the first problem and lists all of them', () => {
    const error = failure('[pane]\nwidth = 1\nhieght = 2\n[repo]\nsource = 3\n');
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toBe(
      '/root/config.toml:2:9: pane.width: found the number 1, expected an integer from 40 to 1000 (and 2 more problems)',
    );
    expect(error.details?.split('\n')).toEqual([
      '/root/config.toml:2:9: pane.width: found the number 1, expected an integer from 40 to 1000',
      '/root/config.toml:3:1: unknown key "hieght" in [pane]; did you mean "height"?',
      '/root/config.toml:5:10: repo.source: found the number 3, expected a string that is not empty',
    ]);
  });

  test.each([
    ['as a number', `${REPO}[agents.claude]\nenv = { KEY = 55555 }`, '55555'],
    ['as a list', `${REPO}[agents.claude]\nenv = { KEY = ["hunter2"] }`, 'hunter2'],
    ['in place of the table', `${REPO}[agents.claude]\nenv = "KEY=hunter2"`, 'hunter2'],
    ['under a name no variable has', `${REPO}[agents.claude]\nenv = { "A B" = "hunter2" }`, 'hunter2'],
    ['in broken TOML', `${REPO}[agents.claude]\nenv = { KEY = "hunter2" "x" }`, 'hunter2'],
    ['in an unclosed string', `${REPO}[agents.claude]\nenv = { KEY = "hunter2 }`, 'hunter2'],
    ['given twice', `${REPO}[agents.claude]\nenv.KEY = "hunter2"\nenv.KEY = "hunter2"`, 'hunter2'],
    ['among the arguments', `${REPO}[agents.claude]\nargs = [55555]`, '55555'],
    ['as the whole agent', `${REPO}[agents]\nclaude = "hunter2"`, 'hunter2'],
  ])('never repeats a secret written %s', (_, text, secret) => {
    const error = failure(text);
    expect([error.message, error.details, error.hint, error.stack, String(error.cause)].join('\n')).not.toContain(secret);
  });
});
