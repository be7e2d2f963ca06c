import { z } from 'zod';
import { type Database, prepared } from '../database.ts';
import { sentDraftSchema } from './drafts.ts';
import { jsonColumn } from './json-column.ts';

const noteSchema = z.object({
  /** `file:line` of the reviewed work. */
  at: z.string(),
  text: z.string(),
  /** That line, without its sign; empty if the diff did not show it. */
  quoted: z.string(),
});

const rejectionSchema = z.object({
  /** The delivery of the feedback. */
  delivery: z.string(),
  worker: z.string(),
  /** The newest commit that a person had seen whole; null if nobody had. */
  reviewed: z.string().nullable(),
  feedback: z.string(),
  notes: jsonColumn(z.array(noteSchema)),
  /** The drafts that went with it: what a person wrote, without the words that say where. */
  drafts: jsonColumn(z.array(sentDraftSchema)),
  at_ms: z.int(),
});

/** Work that was sent back. The row stays until the worker has other work. */
export type Rejection = Readonly<z.infer<typeof rejectionSchema>>;

export function insertRejection(database: Database, row: Rejection): void {
  prepared(
    database,
    'INSERT OR REPLACE INTO rejections (delivery, worker, reviewed, feedback, notes, drafts, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(row.delivery, row.worker, row.reviewed, row.feedback, JSON.stringify(row.notes), JSON.stringify(row.drafts), Math.floor(row.at_ms));
}

/** All of the work that the worker has, the newest first. */
export function listRejections(database: Database, worker: string): readonly Rejection[] {
  return prepared(database, 'SELECT * FROM rejections WHERE worker = ? ORDER BY at_ms DESC, rowid DESC')
    .all(worker)
    .map((row) => rejectionSchema.parse(row));
}

export function forgetRejections(database: Database, worker: string): void {
  prepared(database, 'DELETE FROM rejections WHERE worker = ?').run(worker);
}

/** What a person said about the work that the worker has, and where. */
export function remarksTo(database: Database, worker: string): readonly { readonly at: string | null; readonly text: string }[] {
  return listRejections(database, worker).flatMap(({ feedback, notes, drafts }) => [
    { at: null, text: feedback },
    ...notes.map(({ at, text }) => ({ at, text })),
    // The text of a note may begin with the lines that it is about.
    ...drafts.map(({ text }) => ({ at: null, text })),
  ]);
}
