import { createHash } from 'node:crypto';
import * as z from 'zod';
import { showsNothing } from '../../../base/shows-nothing.ts';
import { visibleLine, visibleText } from '../../../base/visible-text.ts';
import type { Action } from '../../model/action.ts';
import { LONGEST_MESSAGE, type What } from '../../model/event.ts';
import type { Run } from '../../model/run.ts';
import { stageAt } from '../../model/stage-at.ts';
import { roleAt } from '../../next/seat.ts';
import type { PerformContext, Performing } from '../context.ts';
import { checkFile, issueText } from './check-file.ts';

/** For one piece of work. An agent that writes more repeats itself. */
const MOST_MESSAGES = 20;
const LARGEST_FILE = 64 * 1024;
const LONGEST_ROLE = 64;

const messageSchema = z.object(
  {
    to: z.string({ error: 'expected the name of a role' }).min(1, { error: 'is empty' }).max(LONGEST_ROLE, { error: 'is too long' }),
    text: z
      .string({ error: 'expected a text' })
      .max(LONGEST_MESSAGE, { error: `expected at most ${LONGEST_MESSAGE} characters` })
      .refine((text) => !showsNothing(text), { error: 'is empty' }),
  },
  { error: 'expected the two keys "to" and "text"' },
);

/** One message of an agent, or what is wrong with it. */
export type LeftMessage = { readonly to: string; readonly text: string } | { readonly problem: string };

/** Reads a file in which an agent sends a message. Its text is typed into another agent, so it contains no hidden characters. */
export function readLeftMessage(name: string, text: string): LeftMessage {
  const checked = checkFile({ path: `messages/${name}`, schema: undefined }, text);
  if (checked.kind === 'invalid') return { problem: checked.problems.join('; ') };
  const read = messageSchema.safeParse(checked.value);
  if (read.success) return { to: visibleLine(read.data.to), text: visibleText(read.data.text) };
  return { problem: visibleLine(`messages/${name}: ${read.error.issues.map(issueText).join('; ')}`) };
}

interface Sender {
  readonly worktree: string;
  /** The actions that gave the agent its piece of work. */
  readonly tried: readonly string[];
}

/**
 * Posts the messages that an agent left in its worktree, in the order of their names. The same file with the same content counts once in
 * a piece of work, so this can be repeated at every end of a turn.
 */
export async function postMessages(
  { exchange, fault }: Pick<PerformContext, 'exchange' | 'fault'>,
  run: Run,
  { step }: Pick<Action, 'step'>,
  { worktree, tried: [piece] }: Sender,
  { post }: Pick<Performing, 'post'>,
): Promise<void> {
  const stage = stageAt(run, step);
  const from = stage && roleAt(stage);
  if (from === undefined || piece === undefined) return;
  const names = await exchange.messages(worktree);
  for (const name of names.slice(0, MOST_MESSAGES)) {
    const left = await exchange.read(worktree, `messages/${name}`, LARGEST_FILE);
    const raw = left.kind === 'text' ? left.text : left.kind;
    const sent = left.kind === 'text' ? readLeftMessage(name, raw) : { problem: `messages/${visibleLine(name)}: ${UNREAD[left.kind]}` };
    await post(toKey(piece, name, raw), toEvent(from, sent));
    await fault('messages:after-post');
  }
  if (names.length > MOST_MESSAGES)
    await post(
      toKey(piece, '', 'too many'),
      toEvent(from, { problem: `only the first ${MOST_MESSAGES} messages of a task are delivered` }),
    );
}

const UNREAD = {
  missing: 'cannot be read',
  link: 'is a link',
  folder: 'is a folder',
  other: 'is not a plain file',
  too_large: 'is too large',
} as const;

const toKey = (piece: string, name: string, content: string): string =>
  `file:${piece}:${createHash('sha256').update(`${name}\0${content}`).digest('hex').slice(0, 24)}`;

function toEvent(from: string, sent: LeftMessage): What {
  return 'problem' in sent ? { kind: 'unreadable', from, problem: sent.problem } : { kind: 'message', from, ...sent, byFile: true };
}
