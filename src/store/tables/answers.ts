import { z } from 'zod';
import type { Instant } from '../../base/ports.ts';
import { type Database, prepared } from '../database.ts';
import { TASKS_KEPT } from './queue.ts';

const answerSchema = z.object({
  id: z.string(),
  worker: z.string(),
  /** The number of the task; null for a question that a person asked in another way. */
  number: z.int().nullable(),
  task: z.string().nullable(),
  text: z.string(),
  /** `message`: the agent reported it. `screen`: it is the end of the screen of an agent that reports nothing. */
  source: z.enum(['message', 'screen']),
  /** 1: it was longer than llmc keeps. */
  cut: z.union([z.literal(0), z.literal(1)]),
  given_ms: z.int(),
  dismissed_ms: z.int().nullable(),
  /** The rescue of the files that the worker had left when the answer was dismissed. */
  rescue: z.string().nullable(),
});

/** What a task ended in that asked for an answer. The row stays when the worker has its next task. */
export type Answer = Readonly<z.infer<typeof answerSchema>>;
export type NewAnswer = Omit<Answer, 'number' | 'dismissed_ms' | 'rescue'>;

/** Belongs to the task that the worker has. */
export function insertAnswer(database: Database, row: NewAnswer): void {
  prepared(
    database,
    `INSERT INTO answers (id, worker, number, task, text, source, cut, given_ms)
     VALUES (?, ?, (SELECT number FROM queue WHERE given_to = ? AND state = 'given'), ?, ?, ?, ?, ?)`,
  ).run(row.id, row.worker, row.worker, row.task, row.text, row.source, row.cut, row.given_ms);
}

export function findAnswer(database: Database, id: string): Answer | undefined {
  const row = prepared(database, 'SELECT * FROM answers WHERE id = ?').get(id);
  return row === undefined ? undefined : answerSchema.parse(row);
}

/** The newest answer to a task: a person may have asked more. */
export function answerTo(database: Database, number: number): Answer | undefined {
  const row = prepared(database, 'SELECT * FROM answers WHERE number = ? ORDER BY given_ms DESC, rowid DESC LIMIT 1').get(number);
  return row === undefined ? undefined : answerSchema.parse(row);
}

export function markDismissed(database: Database, id: string, rescue: string | null, now: Instant): void {
  prepared(database, 'UPDATE answers SET dismissed_ms = ?, rescue = ? WHERE id = ? AND dismissed_ms IS NULL').run(now, rescue, id);
}

/** Deletes the oldest answers, after their tasks. `unread`: the ids of those that wait for a person. */
export function pruneAnswers(database: Database, unread: readonly string[]): void {
  prepared(
    database,
    `DELETE FROM answers WHERE rowid <= (SELECT max(rowid) FROM answers) - ?
       AND NOT EXISTS (SELECT 1 FROM queue WHERE queue.number = answers.number) AND id NOT IN (SELECT value FROM json_each(?))`,
  ).run(TASKS_KEPT, JSON.stringify(unread));
}
