import type { Agent, InputBox } from '../../src/agents/agent.ts';
import type { Screen } from '../../src/terminal/screen.ts';
import { folderOf } from '../support/screen-folder.ts';
import { fileName, type Recording, screenOf, textOf } from './record.ts';

/** What the rules make of one screen. */
export interface Reading {
  readonly folder: string;
  readonly box: string;
  readonly rule: string;
}

/** One situation: what it is, what the rules read now, and what they read on the recording of another version. */
export interface Row {
  readonly file: string;
  readonly expected: string;
  readonly box: string;
  readonly now: Reading | { readonly problem: string };
  /** Null: that version has no such recording. */
  readonly before: (Reading & { readonly changedLines: number }) | null;
}

export function compare(agent: Agent, recording: Recording, before: string | undefined): Row {
  const { situation, titled } = recording;
  const now = 'screen' in recording ? textOf(recording.screen) : undefined;
  return {
    file: fileName(recording),
    expected: situation.expected,
    box: situation.box === undefined ? '' : `.${situation.box}`,
    now: 'problem' in recording ? { problem: recording.problem } : read(agent, recording.screen),
    before: before === undefined ? null : { ...read(agent, screenOf(before, titled)), changedLines: changedLines(before, now ?? '') },
  };
}

function read(agent: Agent, screen: Screen): Reading {
  const { activity, box, rule } = agent.classify(screen, Date.UTC(2026, 10, 15));
  return { folder: folderOf(activity), box: boxSuffix(box.kind), rule };
}

/** Why a person must check this row; undefined if it is as expected. */
export function difference({ expected, box, now, before }: Row): string | undefined {
  if ('problem' in now) return `not reached: ${now.problem}`;
  if (now.folder !== expected) return `read as ${now.folder} (${now.rule})`;
  if (now.box !== box) return `its box is read as ${now.box || 'without text'}`;
  if (before !== null && before.folder !== now.folder) return `the other version is read as ${before.folder} (${before.rule})`;
  return undefined;
}

/** How many lines are on one screen only, without counters and animations. */
export function changedLines(before: string, now: string): number {
  const left = lines(before);
  const right = lines(now);
  return left.filter((line) => !right.includes(line)).length + right.filter((line) => !left.includes(line)).length;
}

function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/\d+/g, '0')
        .replace(/^[·✢✳✶✻✽*●] \S+?(?:…| for )/, '* …')
        .replace(/[─╌▔]+/g, '─')
        .trim(),
    )
    .filter((line) => line !== '');
}

/** The rows as a table for a terminal, those that differ marked, and a closing line. */
export function report(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ file }) => file.length));
  const wide = Math.max(...rows.map(({ expected }) => expected.length));
  const body = rows.map((row) => {
    const found = difference(row);
    const old = row.before === null ? 'new' : row.before.changedLines === 0 ? 'same' : `${row.before.changedLines} lines differ`;
    return `${found === undefined ? ' ' : '!'} ${row.file.padEnd(width)}  ${row.expected.padEnd(wide)}  ${old}${found === undefined ? '' : `  ← ${found}`}`;
  });
  const count = rows.filter((row) => difference(row) !== undefined).length;
  return [title, ...body, `${rows.length} screens; ${count === 0 ? 'all read as expected' : `${count} to check`}`].join('\n');
}

/** What a file's name says about the box: `.draft` and `.folded` for text in it. */
function boxSuffix(box: InputBox['kind']): '' | '.draft' | '.folded' {
  return box === 'text' ? '.draft' : box === 'folded' ? '.folded' : '';
}
