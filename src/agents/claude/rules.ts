import type { Instant } from '../../base/ports.ts';
import type { Activity } from '../activity.ts';
import { type Dialog, OWN_ROW, readDialog } from './dialog.ts';
import type { Frame } from './frame.ts';
import { parseResetTime } from './reset-time.ts';
import { readTurn, type Turn } from './turn.ts';

/** Everything a rule may look at. */
export interface Seen {
  readonly frame: Frame;
  readonly turn: Turn;
  readonly dialog: Dialog | undefined;
  readonly now: Instant | undefined;
}

export interface Rule {
  /** In words `llmc why` can print. */
  readonly name: string;
  readonly confidence: number;
  readonly read: (seen: Seen) => Activity | undefined;
}

export function see(frame: Frame, now: Instant | undefined): Seen {
  return { frame, turn: readTurn(frame), dialog: readDialog(frame), now };
}

/** The first rule that reads something wins, so the order is part of the meaning. The words come from the version's texts. */
export const RULES: readonly Rule[] = [
  { name: 'tmux says the pane is dead', confidence: 0.95, read: readDeadPane },
  { name: 'Claude Code left its resume hint as the last words', confidence: 0.9, read: readResumeHint },
  { name: 'a start-up dialog is open', confidence: 0.95, read: ({ dialog }) => (dialog?.kind === 'startup' ? question(dialog, 'startup') : undefined) },
  { name: 'a permission dialog is open', confidence: 0.95, read: readPermission },
  { name: 'a question is open', confidence: 0.95, read: ({ dialog }) => (dialog?.kind === 'question' ? question(dialog, questionType(dialog)) : undefined) },
  { name: 'the usage-limit dialog is open', confidence: 0.95, read: (seen) => (seen.dialog?.kind === 'limit' ? limit(seen, false) : undefined) },
  { name: 'a person has a menu open', confidence: 0.7, read: ({ dialog }) => (dialog?.kind === 'menu' ? { kind: 'unknown' } : undefined) },
  { name: 'a dialog nobody has recorded is open', confidence: 0.6, read: ({ dialog }) => (dialog ? question(dialog, 'multiple_choice') : undefined) },
  { name: 'the spinner counts down to a retry', confidence: 0.95, read: ({ frame, turn }) => working(frame.texts.retrying.test(turn.spinner ?? ''), 'retrying') },
  { name: 'the spinner says the conversation is being compacted', confidence: 0.95, read: ({ frame, turn }) => working(frame.texts.compacting.test(turn.spinner ?? ''), 'compacting') },
  { name: 'a spinner stands above the box', confidence: 0.95, read: ({ frame, turn }) => working(hasBox(frame) && turn.spinner !== undefined) },
  { name: 'the footer offers "esc to interrupt"', confidence: 0.9, read: ({ frame }) => working(frame.footer.some((line) => frame.texts.busyHint.test(line))) },
  { name: 'the footer says the usage limit is reached', confidence: 0.95, read: readLimitBanner },
  { name: 'the turn ended at the usage limit', confidence: 0.85, read: readLimitResult },
  { name: 'the turn ended with an API error', confidence: 0.75, read: readError },
  { name: 'something still runs in the background', confidence: 0.85, read: readBackground },
  { name: 'the box is free after an interruption', confidence: 0.85, read: readInterrupted },
  { name: 'the box is free', confidence: 0.85, read: ({ frame }) => (hasBox(frame) ? { kind: 'ready' } : undefined) },
  { name: 'Claude Code refused to start', confidence: 0.8, read: readLaunchError },
  { name: 'the banner is there and the box is not yet', confidence: 0.5, read: ({ frame }) => (frame.lines.some((line) => frame.texts.banner.test(line)) ? { kind: 'starting' } : undefined) },
  { name: 'the screen is still blank', confidence: 0.3, read: ({ frame }) => (frame.lines.every((line) => line === '') ? { kind: 'starting' } : undefined) },
];

const hasBox = (frame: Frame): boolean => frame.box.kind !== 'absent';

function working(yes: boolean, detail?: 'retrying' | 'background' | 'compacting'): Activity | undefined {
  if (!yes) return undefined;
  return detail === undefined ? { kind: 'processing' } : { kind: 'processing', detail };
}

function question(dialog: Dialog, questionType: 'startup' | 'multiple_choice' | 'yes_no'): Activity {
  const choices = dialog.choices.map(({ label }) => label).filter((label) => !OWN_ROW.test(label) && !/^(?:Next|Submit)$/.test(label));
  return { kind: 'awaiting_question', questionType, question: dialog.question, choices };
}

function questionType({ choices }: Dialog): 'multiple_choice' | 'yes_no' {
  const own = choices.slice(0, 2).map(({ label }) => label.toLowerCase());
  return own.includes('yes') && own.includes('no') && choices.length <= 4 ? 'yes_no' : 'multiple_choice';
}

function readPermission({ dialog }: Seen): Activity | undefined {
  if (dialog?.kind !== 'permission') return undefined;
  return { kind: 'awaiting_permission', tool: dialog.tool, question: dialog.question, choices: dialog.choices.map(({ label }) => label) };
}

/** The wording is tmux's own, drawn into a pane kept by `remain-on-exit`; it can be wrapped. */
function readDeadPane({ frame }: Seen): Activity | undefined {
  const last = frame.lines.filter((line) => line !== '').slice(-2).join(' ');
  const match = /Pane is dead(?: \((?:status (\d+)|signal (\w+)))?/.exec(last);
  if (match === null) return undefined;
  const status = match[1] === undefined ? null : Number(match[1]);
  return { kind: 'exited', how: exitHow(status, match[2] ?? null), status, signal: match[2] ?? null };
}

// 143, 130, 129: somebody ended it politely (SIGTERM, SIGINT, SIGHUP), which is neither a crash nor the user's /exit.
function exitHow(status: number | null, signal: string | null): 'user' | 'crash' | 'unknown' {
  if (signal !== null) return 'crash';
  if (status === 0) return 'user';
  return status === null || [129, 130, 143].includes(status) ? 'unknown' : 'crash';
}

function readResumeHint({ frame }: Seen): Activity | undefined {
  const words = frame.lines.filter((line) => line !== '').slice(-3);
  return words.some((line) => frame.texts.leftBehind.test(line)) ? { kind: 'exited', how: 'user', status: null, signal: null } : undefined;
}

function limit({ frame, now }: Seen, continuesByItself: boolean): Activity {
  const words = frame.lines.flatMap((line) => frame.texts.resets.exec(line)?.[1] ?? []).findLast((text) => /\d/.test(text));
  const resetsAt = words === undefined || now === undefined ? undefined : parseResetTime(words, now);
  return { kind: 'waiting_limit', resetsAt: resetsAt ?? null, continuesByItself };
}

function readLimitBanner(seen: Seen): Activity | undefined {
  const { footer, texts } = seen.frame;
  if (!footer.some((line) => texts.limitBanner.test(line))) return undefined;
  return limit(seen, footer.some((line) => texts.limitContinues.test(line)));
}

function readLimitResult(seen: Seen): Activity | undefined {
  const last = seen.turn.results.at(-1) ?? '';
  return hasBox(seen.frame) && seen.frame.texts.limitReached.test(last) ? limit(seen, false) : undefined;
}

function readError({ frame, turn }: Seen): Activity | undefined {
  const message = turn.results.at(-1) ?? '';
  const found = hasBox(frame) ? frame.texts.errors.find(({ pattern }) => pattern.test(message)) : undefined;
  return found === undefined ? undefined : { kind: 'error', type: found.type, recoverable: found.recoverable, message };
}

function readBackground({ frame, turn }: Seen): Activity | undefined {
  const { stillRunning, backgroundHint } = frame.texts;
  return working(stillRunning.test(turn.finished ?? '') || frame.footer.some((line) => backgroundHint.test(line)), 'background');
}

function readInterrupted({ frame, turn }: Seen): Activity | undefined {
  const [before = '', last = ''] = turn.results.slice(-2).length === 2 ? turn.results.slice(-2) : ['', ...turn.results];
  const { interrupted, declined } = frame.texts;
  return hasBox(frame) && (interrupted.test(last) || declined.test(last) || declined.test(before)) ? { kind: 'ready', interrupted: true } : undefined;
}

function readLaunchError({ frame }: Seen): Activity | undefined {
  // The shell line of text is wrapped at the pane's width, so words can be cut anywhere.
  const words = frame.lines.map((line) => line.trim()).filter((line) => line !== '');
  for (const [index] of words.entries()) {
    const message = words.slice(index, index + 3).join('');
    const found = frame.texts.launchErrors.find(({ pattern }) => pattern.test(message) || pattern.test(words[index] ?? ''));
    if (found !== undefined) return { kind: 'error', type: found.type, recoverable: found.recoverable, message: words.slice(index, index + 3).join(' ') };
  }
  return undefined;
}
