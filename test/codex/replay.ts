import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Activity } from '../../src/agents/activity.ts';
import { CodexDialogue } from '../../src/agents/codex/protocol/dialogue.ts';
import type { LaunchRequest } from '../../src/agents/launch.ts';
import type { Given, ProtocolEvent } from '../../src/agents/protocol.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/codex-protocol');

/** One line of a recorded connection: an action of llmc, or a message of the real server (Codex 0.166.0). */
const line = z.union([
  z.object({ do: z.tuple([z.enum(['prompt', 'answer', 'interrupt', 'readAgain', 'startOver'])], z.string()) }),
  z.object({ hear: z.unknown() }),
  z.object({ take: z.string() }),
]);

export type Line = z.infer<typeof line>;

export function recorded(name: string): readonly Line[] {
  const text = readFileSync(join(FIXTURES, `${name}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((one) => line.parse(JSON.parse(one)));
}

export const NOW = Date.UTC(2026, 10, 15, 6);

export function aRequest(conversation: LaunchRequest['conversation']): LaunchRequest {
  return {
    worker: 'adam',
    root: '/llmc',
    worktree: '/llmc/.worktrees/adam',
    repository: '/llmc/sandbox/adam/git',
    spool: '/llmc/events/adam',
    scratch: '/llmc/run/adam',
    incarnation: 1,
    command: 'codex',
    args: [],
    model: '',
    rolePrompt: '',
    skipPermissions: true,
    allowedTools: [],
    conversation,
  };
}

export interface Replayed {
  readonly dialogue: CodexDialogue;
  readonly events: readonly ProtocolEvent[];
  /** Every message that llmc sent, parsed. */
  readonly sent: readonly unknown[];
  /** The agent's activity after each change. */
  readonly lives: readonly (Activity | undefined)[];
}

export function replay(lines: readonly Line[]): Replayed {
  const taken = lines.find((one) => 'take' in one)?.take;
  const dialogue = new CodexDialogue(aRequest(taken === undefined ? { kind: 'fresh', id: '' } : { kind: 'resume', id: taken }));
  const events: ProtocolEvent[] = [];
  const lives: (Activity | undefined)[] = [];
  const sent: (string | undefined)[] = [...dialogue.hello()];
  for (const one of lines) {
    if ('do' in one) sent.push(perform(dialogue, ...one.do));
    if (!('hear' in one)) continue;
    const received = dialogue.receive(JSON.stringify(one.hear), NOW);
    events.push(...received.events);
    sent.push(...received.send);
    if (lives.at(-1) !== dialogue.live) lives.push(dialogue.live);
  }
  return { dialogue, events, lives, sent: sent.map((one) => JSON.parse(one ?? 'null')) };
}

function perform(dialogue: CodexDialogue, verb: string, ...[first = '', second = '']: string[]): string | undefined {
  switch (verb) {
    case 'prompt':
      return dialogue.prompt(first, second);
    case 'answer':
      return sentBy(dialogue.answer(first));
    case 'interrupt':
      return dialogue.interrupt();
    case 'readAgain':
      return dialogue.readAgain();
    default:
      return dialogue.startOver();
  }
}

/** The message of an answer; none while further questions of the same request are open. */
export function sentBy(given: Given | undefined): string | undefined {
  return given === undefined || given === 'next_question' ? undefined : given.send;
}
