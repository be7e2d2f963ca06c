import { appendFileSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fact, parseFact } from './fact.ts';
import type { Entry } from './model.ts';
import { type AskedFile, areAmong } from './results/asked-files.ts';

/** A started turn, with the data that another process needs to resume it. */
export interface OpenTurn {
  /** Index in the scenario; null for the built-in behaviour. */
  readonly turn: number | null;
  readonly prompt: string;
  readonly at: number;
  /** The files that the task asks for, see results/asked-files.ts. */
  readonly files: readonly AskedFile[];
  readonly answers: readonly { readonly step: number; readonly answer: string }[];
  readonly done: number;
}

export interface Remembered {
  readonly entries: readonly Entry[];
  /** The scenario turns that were already used. */
  readonly used: readonly number[];
  readonly open: OpenTurn | null;
  /** The files of the last task that asked for some: a later prompt ("correct it") does not name them again. */
  readonly files: readonly AskedFile[];
  /** How many verdicts asked for changes. */
  readonly remarks: number;
}

export const NOTHING_REMEMBERED: Remembered = { entries: [], used: [], open: null, files: [], remarks: 0 };

export function recall(facts: readonly Fact[]): Remembered {
  return facts.reduce<Remembered>(remember, NOTHING_REMEMBERED);
}

export function remember(past: Remembered, fact: Fact): Remembered {
  switch (fact.type) {
    case 'start':
      return { ...past, used: [...past.used, ...fact.used] };
    case 'entry':
      return { ...past, entries: [...past.entries, fact.entry] };
    case 'turn': {
      const { turn, prompt, at, files } = fact;
      const used = turn === null ? past.used : [...past.used, turn];
      return {
        ...past,
        used,
        files: areAmong(files, past.files) ? past.files : files,
        open: { turn, prompt, at, files, answers: [], done: 0 },
      };
    }
    case 'go_on':
      return past;
    case 'answer': {
      const { step, answer } = fact;
      return past.open === null ? past : { ...past, open: { ...past.open, answers: [...past.open.answers, { step, answer }] } };
    }
    case 'remarks':
      return { ...past, remarks: past.remarks + 1 };
    case 'done':
      return past.open === null ? past : { ...past, open: { ...past.open, done: fact.steps } };
    case 'end':
      return { ...past, open: null };
  }
}

export function conversationFile(env: Readonly<Record<string, string | undefined>>, id: string): string {
  // Under llmc the file is in the worker's own directory, so that it is removed together with the root.
  if (env.LLMC_SCRATCH) return join(env.LLMC_SCRATCH, 'conversations', `${id}.jsonl`);
  const home = env.LLMC_DEMO_HOME || env.XDG_STATE_HOME || join(env.HOME || '.', '.local', 'state');
  return join(home, 'llmc-demo-agent', `${id}.jsonl`);
}

/** Undefined if there is no such conversation. Skips a line that a crash cut off. */
export function readConversation(file: string): Fact[] | undefined {
  if (!existsSync(file)) return undefined;
  return readFileSync(file, 'utf8').split('\n').flatMap(parseFact);
}

/**
 * Creates the file with the first facts, so a conversation without a prompt has none. Writes all of them at once. A line that a full
 * disk cut off ends first: otherwise it would spoil the next one.
 */
export function appendFacts(file: string, facts: readonly Fact[]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const opened = openSync(file, 'a+', 0o600);
  try {
    const lines = facts.map((fact) => `${JSON.stringify(fact)}\n`).join('');
    appendFileSync(opened, `${endsInsideLine(opened) ? '\n' : ''}${lines}`);
  } finally {
    closeSync(opened);
  }
}

function endsInsideLine(opened: number): boolean {
  const { size } = fstatSync(opened);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(opened, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
}
