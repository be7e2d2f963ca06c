import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Agent } from '../../../src/agents/agent.ts';
import { claudeAgent } from '../../../src/agents/claude/adapter.ts';
import { codexAgent } from '../../../src/agents/codex/adapter.ts';
import { declaredAgent } from '../../../src/agents/declared/adapter.ts';
import { demoAgent } from '../../../src/agents/demo/adapter.ts';
import { incarnationIn } from '../../../src/supervisor/launch/environment-file.ts';
import { controlReader } from '../../../src/terminal/control-reply.ts';
import { parsePanes } from '../../../src/terminal/panes.ts';
import { screenFromText } from '../../../src/terminal/screen.ts';
import { PANE_FIELDS } from '../../../src/terminal/tmux-commands.ts';
import { hostileText } from './input.ts';
import { LONGEST_MS, withstands } from './withstands.ts';

vi.setConfig({ testTimeout: LONGEST_MS });

const FOLDER = join(import.meta.dirname, '../../fixtures/screens');
const recorded = (agent: string): readonly string[] =>
  globSync(`${agent}/**/*.txt`, { cwd: FOLDER }).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
const CLAUDE = recorded('claude');
const CODEX = recorded('codex');

/** The declared agent runs its patterns with a timeout of its own. */
const declared = declaredAgent(
  'twin',
  {
    ready: ['^  demo agent · '],
    busy: ['esc to interrupt'],
    dialog: ['^ Enter to '],
    box: '^❯(?:\\u00a0(.*))?$',
    boxMore: '^(?:  (.*))?$',
  },
  (work) => work(),
);

/** Recorded screens with lines repeated, moved, replaced or made of anything; and screens of nothing else. */
function screens(texts: readonly string[]) {
  const edit = fc.tuple(fc.nat(200), fc.constantFrom('replace', 'repeat', 'remove', 'insert', 'extend'), hostileText);
  const edited = fc.tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 6 })).map(([text, edits]) => {
    const lines = text.split('\n');
    for (const [place, how, words] of edits) {
      const at = place % Math.max(1, lines.length);
      const line = lines[at] ?? '';
      if (how === 'replace') lines[at] = words;
      else if (how === 'remove') lines.splice(at, 1);
      else if (how === 'insert') lines.splice(at, 0, words);
      else if (how === 'extend') lines[at] = `${line}${words}`;
      else lines.splice(at, 0, ...Array<string>(50).fill(line));
    }
    return lines.join('\n');
  });
  return fc.tuple(fc.oneof({ weight: 4, arbitrary: edited }, hostileText), hostileText);
}

describe('a screen', () => {
  test.each<[string, Agent, readonly string[]]>([
    ['Claude Code', claudeAgent, CLAUDE],
    ['Codex', codexAgent, CODEX],
    ['the demo agent', demoAgent, CLAUDE],
    ['a declared agent', declared, CLAUDE],
  ])('of %s is classified and answered, whatever it shows', (_, agent, texts) => {
    withstands(screens(texts), ([text, words]) => {
      const screen = { ...screenFromText(text), title: words };
      expect(agent.classify(screen, 1_800_000_000_000).activity.kind).toBeTypeOf('string');
      agent.startupStep(screen);
      agent.submitStep?.(screen);
      agent.conversationOn?.(screen);
      agent.showsPrompt(screen, words);
      for (const choice of ['1', 'yes', 'cancel', words]) agent.answerStep(screen, choice);
      agent.makeSafe(words);
      agent.normalise(words);
    });
  });
});

/** What rules look for, again and again, on a screen as large as llmc reads. An expression that takes the square of a line shows here. */
const FILLINGS = [' ', '  x', '─', '│ ', '❯ ', '❯  ', '› ', '1. ', '1', '(', '[', '· ', 'resets ', 'a', '\t', '"', '✻ ', '⎿ ', '● '];

test.each<[string, Agent]>([
  ['Claude Code', claudeAgent],
  ['Codex', codexAgent],
  ['the demo agent', demoAgent],
])('a full screen of %s with the same everywhere is classified in a moment', (_, agent) => {
  for (const filling of FILLINGS) {
    const line = `${filling.repeat(Math.ceil(990 / filling.length))}x`;
    const screen = { ...screenFromText(`${line}\n`.repeat(500)), title: line };
    const before = process.cpuUsage().user;
    agent.classify(screen, 1_800_000_000_000);
    agent.startupStep(screen);
    agent.answerStep(screen, 'yes');
    agent.showsPrompt(screen, line);
    expect((process.cpuUsage().user - before) / 1_000, JSON.stringify(filling)).toBeLessThan(3_000);
  }
});

describe('an answer of tmux', () => {
  const row: readonly string[] = PANE_FIELDS.map((field) => (field === 'pane_pid' ? '123' : '0'));
  const pane = fc.tuple(fc.nat(PANE_FIELDS.length - 1), hostileText).map(([index, text]) => row.with(index, text).join('\t'));

  test('is a list of panes, however odd its fields', () => {
    withstands(fc.array(fc.oneof(pane, hostileText), { maxLength: 10 }), (lines) => {
      for (const { session, title } of parsePanes(lines.join('\n'))) expect(`${session}${title}`).toBeTypeOf('string');
    });
  });

  test('is split into replies, also if a screen looks like one', () => {
    const line = fc.oneof(fc.constantFrom('%begin 1 2 3', '%end 1 2 3', '%error 1 2 3', '%end 1 2 4', '%output x'), hostileText);
    withstands(fc.array(line, { maxLength: 30 }), (lines) => {
      const read = controlReader(({ lines: kept }) => expect(kept).not.toContain('%end 1 2 3'));
      for (const each of lines) read(each);
    });
  });

  test('names the command of a pane', () => {
    withstands(hostileText, (text) => expect(incarnationIn(text) ?? 1).toSatisfy(Number.isInteger));
    withstands(hostileText, (text) => expect(incarnationIn(`sh /x/environment.7${text}`) ?? 1).toSatisfy(Number.isInteger));
    expect(incarnationIn(`sh /x/environment.${'7'.repeat(400)}`)).toBeUndefined();
  });
});
