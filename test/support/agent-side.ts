import { globSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { readConversation } from '../../src/agents/demo/tui/conversation.ts';
import { taskOf } from '../../src/agents/demo/tui/turn/task.ts';
import { makeLayout } from '../../src/store/layout.ts';
import { until } from './scratch-tmux.ts';
import { llmcWorld, type World } from './world.ts';

/** A running world with a worker for each of these scenarios. Adds them side by side, because each takes most of a second. */
export async function crowd(scenario: Readonly<Record<string, string>>, defaults = ''): Promise<World> {
  const world = await llmcWorld({ scenario });
  try {
    world.set('defaults', defaults);
    await Promise.all(Object.keys(scenario).map((worker) => world.ok('add', worker)));
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

/** A scenario whose first turn waits in its middle until the test opens the gate, so the speed of the machine does not matter. */
export const longTurn = (gate: string): string =>
  `turns: [{ steps: [{ edit: { path: long.md, append: "A line\\n" } }, ${untilOpen(gate)}, { commit: The long turn }] }]`;

/** A step that lasts until the gate is open. */
export const untilOpen = (gate: string): string => `{ run: 'until [ -e ~/gate-${gate} ]; do sleep 0.1; done' }`;

export const openGate = (world: World, gate: string): void => world.write(`gate-${gate}`, '', world.home);

/** The agent's own record, oldest conversation first: it proves how often a prompt arrived, independently of llmc. */
function conversationsOf(world: World, worker: string): string[] {
  const files = globSync(join(makeLayout(world.root).scratch(worker), 'conversations', '*.jsonl'));
  return files.sort((a, b) => statSync(a).birthtimeMs - statSync(b).birthtimeMs);
}

/**
 * Keeps the record of an unused conversation from llmc, as if the CLI wrote none: llmc follows no link where an agent can make one.
 * The test still finds the record behind the link.
 */
export async function hideRecord(world: World, worker: string): Promise<void> {
  const stored = () => hasConversation.safeParse(JSON.parse(readFileSync(makeLayout(world.root).state, 'utf8')).workers[worker]);
  await until(`${worker} to have a conversation`, async () => stored().success);
  const { conversation_id: id } = hasConversation.parse(stored().data);
  const scratch = makeLayout(world.root).scratch(worker);
  mkdirSync(join(scratch, 'conversations'), { recursive: true });
  symlinkSync(join(scratch, `${id}.hidden`), join(scratch, 'conversations', `${id}.jsonl`));
}

const hasConversation = z.object({ conversation_id: z.string() });

/** Every complete prompt that the worker's agents received, in all conversations. */
export function promptsGiven(world: World, worker: string): string[] {
  return conversationsOf(world, worker)
    .flatMap((file) => readConversation(file) ?? [])
    .flatMap((fact) => (fact.type === 'entry' && fact.entry.kind === 'prompt' ? [fact.entry.text] : []));
}

/** The answers in its dialogs, as the agent understood them. */
export function answersGiven(world: World, worker: string): string[] {
  return conversationsOf(world, worker)
    .flatMap((file) => readConversation(file) ?? [])
    .flatMap((fact) => (fact.type === 'answer' ? [fact.answer] : []));
}

/** The same prompts without the text that llmc puts before a task. */
export const tasksGiven = (world: World, worker: string): string[] => promptsGiven(world, worker).map(taskOf);

/** The time of the agent's last record: after a turn, the end of the turn. */
export function lastRecordAt(world: World, worker: string): number {
  return Math.max(...conversationsOf(world, worker).map((file) => statSync(file).mtimeMs));
}

/** The environment of a worker's agent. */
export async function environmentOf(world: World, worker: string): Promise<Readonly<Record<string, string>>> {
  const lines = readFileSync(`/proc/${await world.panePid(worker)}/environ`, 'utf8')
    .split('\0')
    .filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Subjects of the commits on a worker's branch, oldest first. */
export async function commitsOf(world: World, worker: string): Promise<string[]> {
  const log = await world.gitIn(world.worktree(worker), 'log', '--reverse', '--format=%s', `${await world.git('rev-parse', 'main')}..HEAD`);
  return log.split('\n').filter(Boolean);
}

const delivery = z.object({
  id: z.string(),
  purpose: z.string(),
  text: z.string(),
  sent_text: z.string().nullable(),
  changes: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  attempt: z.int(),
  incarnation: z.int().nullable(),
  ack_source: z.string().nullable(),
  created_ms: z.int(),
  typed_ms: z.int().nullable(),
  submitted_ms: z.int().nullable(),
  acked_ms: z.int().nullable(),
});

/**
 * The agent itself acknowledged the prompt. Where it takes longer than half of `ack_timeout_ms` to read the Enter, llmc reads its record
 * too, which the agent writes a moment before its report.
 */
export const BY_AGENT = expect.stringMatching(/^(?:hook|transcript)$/);

export function deliveriesOf(world: World, worker: string): z.infer<typeof delivery>[] {
  return world.rows(delivery, 'SELECT * FROM deliveries WHERE worker = ? ORDER BY seq', worker);
}

/** The reports of prompts that llmc has read from the worker's hooks. */
export function promptsReported(world: World, worker: string): readonly object[] {
  return world.rows(z.object({ seq: z.int() }), "SELECT seq FROM events WHERE worker = ? AND name = 'prompt_submit'", worker);
}

const entry = z.object({ at: z.int(), kind: z.string(), summary: z.string() });

export function historyOf(world: World, worker: string, kind = '%'): z.infer<typeof entry>[] {
  return world.rows(entry, 'SELECT at_ms AS at, kind, summary FROM history WHERE worker = ? AND kind LIKE ? ORDER BY seq', worker, kind);
}

/** The changes of a worker's status, in order, without the reasons. */
export const movesOf = (world: World, worker: string): string[] =>
  historyOf(world, worker, 'status').map(({ summary }) => summary.split(':')[0] ?? '');

export async function reaches(world: World, worker: string, status: string, withinMs = 90_000): Promise<void> {
  try {
    await world.ok('wait', worker, '--for', status, '--timeout', `${withinMs}ms`);
  } catch (cause) {
    throw new Error(`${worker} did not become ${status}\n${story(world, worker)}`, { cause });
  }
}

/** The history and the deliveries, for the message of a failed test. */
export function story(world: World, worker: string): string {
  const start = historyOf(world, worker)[0]?.at ?? 0;
  const lines = historyOf(world, worker).map(({ at, kind, summary }) => `${at - start} ms ${kind}: ${summary}`);
  return [...lines, ...deliveriesOf(world, worker).map((row) => JSON.stringify({ ...row, text: '', sent_text: '' }))].join('\n');
}
