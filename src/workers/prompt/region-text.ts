import { visibleText } from '../../base/visible-text.ts';
import type { ConflictFile, Region, VersionPart } from '../../git/rebase/conflict-facts.ts';
import { choicesFor, clashText, versionCommands } from './clash-text.ts';
import { cut, fenced, quoted } from './quoted-text.ts';

/** A larger region is read by a command. It is about 200 lines of code. */
const LARGEST_REGION = 8_000;
const LONGEST_LINE = 500;
const CONTEXT_LINES = 5;
const MOST_SUBJECTS = 5;

/** Describes each file with its regions, in this many characters. What does not fit is named with the command that prints it. */
export function filesText(files: readonly ConflictFile[], budget: number): string {
  const parts: string[] = [];
  let room = budget;
  const left: ConflictFile[] = [];
  for (const file of files) {
    const whole = fileText(file, file.regions.map(regionText));
    const short = whole.length <= room ? whole : fileText(file, undefined);
    if (short.length > room) left.push(file);
    else {
      parts.push(short);
      room -= short.length;
    }
  }
  if (left.length > 0)
    parts.push(`${left.length} more ${left.length === 1 ? 'file is' : 'files are'} not described here. To list them: git status --short`);
  return parts.join('\n\n');
}

/** @param regions the text of each region; undefined where one of them is too large for it. */
function fileText(file: ConflictFile, regions: readonly (string | undefined)[] | undefined): string {
  const shown = regions?.flatMap((region) => region ?? []) ?? [];
  const hidden = file.regions.length - shown.length;
  return [
    `### ${quoted(file.path)}`,
    '',
    `${capital(clashText(file))}.`,
    ...namesText(file),
    ...touchedText(file),
    ...shown.flatMap((region) => ['', region]),
    ...hiddenText(file, hidden),
    ...versionsText(file),
    ...choicesFor(file).flatMap(({ when, commands }) => ['', `${when}:`, '', ...commands.map((command) => `    ${command}`)]),
  ].join('\n');
}

function versionsText(file: ConflictFile): readonly string[] {
  const commands = versionCommands(file);
  return commands.length === 0 ? [] : ['', 'Its versions:', '', ...commands.map((command) => `    ${command}`)];
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

function namesText({ clash, names, path }: ConflictFile): readonly string[] {
  if (clash.kind === 'rename/rename' || names.base === undefined || names.base === path) return [];
  const who = names.main === undefined ? 'Main' : 'You';
  return [`${who} renamed it from ${quoted(names.base)}.`];
}

function touchedText({ touchedBy }: ConflictFile): readonly string[] {
  if (touchedBy.length === 0) return [];
  return [
    '',
    'Commits of main that changed these lines (git show <commit> prints one):',
    ...touchedBy.slice(0, MOST_SUBJECTS).map(({ hash, subject }) => `- ${hash.slice(0, 12)} ${quoted(subject)}`),
  ];
}

function hiddenText(file: ConflictFile, hidden: number): readonly string[] {
  if (file.tooLarge) return ['', 'The file is too large to describe. Read it in parts.'];
  if (hidden === 0) return [];
  const lines = file.regions.reduce((sum, { main, base, worker }) => sum + main.lines.length + base.lines.length + worker.lines.length, 0);
  const places = file.regions.flatMap(({ line }) => line ?? []).slice(0, 20);
  const at = places.length === 0 ? '' : ` They begin at ${places.length === 1 ? 'line' : 'lines'} ${places.join(', ')}.`;
  return [
    '',
    `${hidden} of its ${file.regions.length} regions (${lines} lines in all) are too long for this message.${at} Read them in the file.`,
  ];
}

/** One region with its context. Each line has its side before it, so that nothing in the file can be mistaken for the frame. */
function regionText(region: Region, index: number, all: readonly Region[]): string | undefined {
  const { line, main, base, worker, before, after } = region;
  const at = line === undefined ? '' : `, at line ${line} of the file`;
  const lines = [
    ...before.slice(-CONTEXT_LINES).map((text) => `      | ${shortened(text)}`),
    ...main.lines.map((text) => `main  | ${shortened(text)}`),
    ...base.lines.map((text) => `base  | ${shortened(text)}`),
    ...worker.lines.map((text) => `yours | ${shortened(text)}`),
    ...after.slice(0, CONTEXT_LINES).map((text) => `      | ${shortened(text)}`),
  ];
  if (lines.reduce((sum, text) => sum + text.length + 1, 0) > LARGEST_REGION) return undefined;
  const where = `main's side: ${rangeText(main)}; base: ${rangeText(base)}; your side: ${rangeText(worker)}`;
  return `Region ${index + 1} of ${all.length}${at} (${where}):\n\n${fenced(lines.join('\n'))}`;
}

const shortened = (text: string): string => cut(visibleText(text), LONGEST_LINE);

function rangeText({ start, lines }: VersionPart): string {
  if (lines.length === 0) return 'no lines';
  return lines.length === 1 ? `line ${start}` : `lines ${start} to ${start + lines.length - 1}`;
}
