import type { Instant } from '../../base/ports.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { visibleText } from '../../base/visible-text.ts';
import type { ChangeSize } from '../../git/change-size.ts';
import { type Attention, needsTerminal } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { attentionText } from '../../workers/status/attention-text.ts';

/** A worker to tell a person about, with what it has to show. */
export interface Told {
  readonly worker: Worker;
  readonly size?: ChangeSize | undefined;
  /** What the task asked for, if that is an answer. */
  readonly answer?: string | undefined;
  /** The id of the dialog that it has open. */
  readonly dialog?: string | undefined;
}

/** What a notice says about one worker. Null: there is no such thing. The names are a contract with the command of `[notify]`. */
export interface NoticePart {
  readonly worker: string;
  readonly status: string;
  readonly kind: string | null;
  readonly reason: string;
  readonly since_unix: number;
  readonly age_secs: number;
  readonly task: string | null;
  readonly question: string | null;
  /** What a permission dialog asks about. */
  readonly tool: string | null;
  readonly command: string | null;
  readonly choices: readonly string[];
  /** What the work changes. */
  readonly files: number | null;
  readonly added: number | null;
  readonly removed: number | null;
  /** The agent's last message: its answer, or what it did. */
  readonly summary: string | null;
  /** What to type. */
  readonly answer_with: string;
}

/** How much of each part a lock screen shows. */
export const LONGEST_PART = { tool: 60, command: 600, question: 300, choice: 80, summary: 600, task: 120 } as const;

/** Linux starts no program with a variable of more than 128 KB (Linux 6.1): 16,000 characters of four bytes fit. */
const LONGEST_VALUE = 16_000;

/** Cuts a text and says so: nobody approves what they did not see. */
export function cutWithCount(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}… (${text.length - longest} more characters)`;
}

/** An agent wrote most of this, so hidden characters are made visible. */
const shown = (text: string | null): string | null => (text === null ? null : cutWithCount(visibleText(text), LONGEST_VALUE));

export function noticePart({ worker, size, answer, dialog }: Told, now: Instant): NoticePart {
  const { name, status, attention, last_activity_unix: since } = worker;
  const asked = askedIn(attention);
  const isReview = status === 'needs_review';
  return {
    worker: name,
    status,
    kind: attention?.kind ?? null,
    reason: attention === null ? '' : attentionText(name, attention),
    since_unix: since,
    age_secs: Math.max(0, Math.floor(now / 1_000) - since),
    task: shown(worker.current_prompt),
    question: shown(asked.question),
    tool: shown(asked.tool),
    command: shown(asked.command),
    choices: asked.choices.map((choice) => shown(choice) ?? ''),
    files: size?.files ?? null,
    added: size?.added ?? null,
    removed: size?.removed ?? null,
    // Before a question, the last message is that of an earlier turn.
    summary: asked.question === null && (isReview || status === 'needs_input') ? shown(answer ?? worker.summary) : null,
    answer_with: answerWith(worker, dialog, asked.choices.length > 0),
  };
}

interface Asked {
  readonly question: string | null;
  readonly tool: string | null;
  readonly command: string | null;
  readonly choices: readonly string[];
}

function askedIn(attention: Attention | null): Asked {
  const nothing = { question: null, tool: null, command: null, choices: [] };
  switch (attention?.kind) {
    case 'permission':
      return { question: attention.question, tool: attention.tool, command: attention.command, choices: attention.choices };
    case 'question':
      return { ...nothing, question: attention.question, choices: attention.choices };
    case 'startup_dialog':
    case 'login':
      return { ...nothing, question: attention.question };
    default:
      return nothing;
  }
}

/** With the id: nobody knows who reads a notice, and when, so what it says to type is for this dialog alone. */
function answerWith({ name, attention, status }: Worker, dialog: string | undefined, hasChoices: boolean): string {
  if (needsTerminal(attention)) return commandLine('llmc', 'attach', name);
  if (attention?.kind === 'permission' || attention?.kind === 'question')
    return `${commandLine('llmc', 'answer', name)} ${hasChoices ? '<number>' : '"…"'}${dialog === undefined ? '' : ` --to ${dialog}`}`;
  return status === 'needs_review' || attention?.kind === 'answer' ? commandLine('llmc', 'review', name) : commandLine('llmc', 'why', name);
}

/** The parts as variables; all of them empty without a part. */
export function partVariables(part: NoticePart | undefined): Readonly<Record<string, string>> {
  const text = (value: string | number | null | undefined): string => String(value ?? '');
  return {
    LLMC_WORKER: text(part?.worker),
    LLMC_SINCE_UNIX: text(part?.since_unix),
    LLMC_AGE_SECS: text(part?.age_secs),
    LLMC_TASK: text(part?.task),
    LLMC_QUESTION: text(part?.question),
    LLMC_TOOL: text(part?.tool),
    LLMC_COMMAND: text(part?.command),
    LLMC_CHOICES: numbered(part?.choices ?? []),
    LLMC_FILES: text(part?.files),
    LLMC_ADDED: text(part?.added),
    LLMC_REMOVED: text(part?.removed),
    LLMC_SUMMARY: text(part?.summary),
    LLMC_ANSWER_WITH: text(part?.answer_with),
  };
}

/** One choice per line, with the number that answers it. */
function numbered(choices: readonly string[]): string {
  return cutWithCount(choices.map((choice, index) => `${index + 1} ${choice.replaceAll('\n', ' ')}`).join('\n'), LONGEST_VALUE);
}
