import type { ConflictFacts, ConflictFile } from '../../git/rebase/conflict-facts.ts';
import type { RuleResult } from '../rebase/apply-conflict-rules.ts';
import { choicesFor, clashText, versionCommands } from './clash-text.ts';
import {
  checksText,
  DATA,
  fitting,
  LONGEST_LIST,
  listText,
  more,
  numbers,
  onePerRename,
  type Resolving,
  SIDES,
  stopText,
  unmerged,
} from './conflict-words.ts';
import { cut, fenced, quoted, tail } from './quoted-text.ts';
import { filesText } from './region-text.ts';

const REGIONS_BUDGET = 20_000;
const LONGEST_TASK = 4_000;

const RULES = [
  'Keep what both sides meant. Every line that main added and every line that you added belongs in the result, unless the other side makes it wrong. llmc compares the result with both sides line by line.',
  'Remove every marker line that git wrote.',
  'Stage each resolved file with the command given for it. Change no other files.',
  'Do not commit, and do not run git rebase --continue or --skip: llmc continues the rebase when your turn ends and everything is staged. If a later commit conflicts, you get another message.',
  'If you cannot resolve it, run git rebase --abort, which restores your commits, and say in your last message what stands in the way. A person decides then.',
];

/** The first prompt of a stop: what happened, what to do, and the regions, as far as they fit. */
export function conflictPrompt(resolving: Resolving, facts: ConflictFacts, rules: readonly RuleResult[]): string {
  const open = unmerged(facts);
  return [
    `You are working in: ${resolving.worktree}`,
    '',
    `${quoted(resolving.main)} has new commits. llmc moves your work on top of them with git rebase, and git stopped at a conflict. Resolve it.`,
    '',
    DATA,
    '',
    '## What happened',
    '',
    ...stopText(facts),
    ...listText(open, facts.leftOut),
    ...rulesText(rules),
    '',
    '## The two sides',
    '',
    ...SIDES,
    '',
    '## What to do',
    '',
    ...RULES.map((rule, index) => `${index + 1}. ${rule}`),
    ...checksText(resolving),
    ...taskText(resolving),
    '',
    '## The files',
    '',
    filesText(onePerRename(open), REGIONS_BUDGET),
  ].join('\n');
}

/** For a turn that ended with unmerged files. */
export function stillUnmergedPrompt(resolving: Resolving, facts: ConflictFacts): string {
  const blocks = onePerRename(unmerged(facts)).flatMap((file) =>
    choicesFor(file).map(({ when, commands }) => [`${quoted(file.path)}. ${when}:`, '', ...indented(commands), ''].join('\n')),
  );
  return [
    `The rebase onto ${quoted(resolving.main)} waits for you: your turn ended with unresolved files.`,
    '',
    ...stopText(facts),
    ...listText(unmerged(facts), facts.leftOut),
    '',
    DATA,
    '',
    ...SIDES,
    '',
    'For each file: keep what both sides meant, remove the marker lines, then stage it.',
    '',
    ...fitting(blocks, LONGEST_LIST),
    'Do not run git rebase --continue: llmc does it when your turn ends and everything is staged. If you cannot resolve it, run git rebase --abort and say why.',
  ].join('\n');
}

/** Step-by-step help for an agent that makes no progress. */
export function conflictHelpPrompt(resolving: Resolving, facts: ConflictFacts): string {
  const open = onePerRename(unmerged(facts));
  const steps = fitting(open.map(helpText), REGIONS_BUDGET);
  return [
    `The rebase onto ${quoted(resolving.main)} makes no progress. Stop what you are doing, and take these steps in order, one file at a time.`,
    '',
    ...stopText(facts),
    ...SIDES,
    '',
    DATA,
    ...steps,
    ...more(open.length - steps.length),
    '',
    '## At the end',
    '',
    'The first command prints the files that are still unmerged. It must print nothing:',
    '',
    '    git diff --name-only --diff-filter=U',
    '    git status --short',
    '',
    'Then end your turn. Do not run git rebase --continue: llmc does it. If you cannot finish, run git rebase --abort and say in your last message what you tried and what stands in the way.',
  ].join('\n');
}

const PRINT = '1. Print the versions, and find out what each side changed against the base:';

function helpText(file: ConflictFile, index: number): string {
  const versions = versionCommands(file);
  return [
    '',
    `## Step ${index + 1}: ${quoted(file.path)}`,
    '',
    `About this file: ${clashText(file)}.`,
    '',
    ...(versions.length === 0 ? ['1. Find out what each side changed against the base.'] : [PRINT, '', ...indented(versions), '']),
    "2. Write the result into the file: start from main's side, then make your change again in it.",
    ...(file.markers.length === 0 ? [] : [`   It still has marker lines: ${numbers(file.markers)}. Remove them.`]),
    '3. Stage it:',
    ...choicesFor(file).flatMap(({ when, commands }) => ['', `${when}:`, '', ...indented(commands)]),
  ].join('\n');
}

const indented = (commands: readonly string[]): readonly string[] => commands.map((command) => `    ${command}`);

function rulesText(rules: readonly RuleResult[]): readonly string[] {
  return fitting(
    rules.map((rule) => `- ${ruleText(rule)}`),
    LONGEST_LIST,
  );
}

const DONE = { main: "took main's version", worker: 'took your version', regenerate: 'made it again with its command' } as const;

function ruleText(result: RuleResult): string {
  if (result.kind === 'applied') return `${quoted(result.path)}: llmc ${DONE[result.rule]} and staged it. Leave it as it is.`;
  if (result.kind === 'left')
    return `${quoted(result.path)} is made by a command. Leave it unmerged: when the other files are staged and your turn ends, llmc runs ${quoted(cut(result.command, 500))} and stages it.`;
  const { line, reason, output } = result.line;
  return [
    `${quoted(result.path)} has to be made again by a command, and the command failed (${reason}): ${cut(line, 500)}`,
    '  Resolve the file yourself. The end of its output:',
    '',
    fenced(tail(output, 1_000)),
    '',
  ].join('\n');
}

function taskText({ task }: Resolving): readonly string[] {
  if (task === null || task.trim() === '') return [];
  const heading = [
    '',
    '## What your commits are for',
    '',
    'The work on this task is done; do not begin it again. It says what your side means:',
    '',
  ];
  return [...heading, fenced(cut(task, LONGEST_TASK))];
}
