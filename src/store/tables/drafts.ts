import { z } from 'zod';
import type { Instant } from '../../base/ports.ts';
import { type Database, prepared } from '../database.ts';

/** The lines with words around a line, where the diff shows them. They tell it from others with the same text. */
const surroundingsSchema = z.object({
  above: z.string().nullable(),
  below: z.string().nullable(),
  /** The diff shows no other line of the file with this text, and it has words. */
  isOnly: z.boolean(),
});
export type LineSurroundings = Readonly<z.infer<typeof surroundingsSchema>>;

/** What a person has written about the work of a worker and not sent yet. */
export const draftSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('comment'),
    path: z.string(),
    side: z.enum(['old', 'new', 'file']),
    /** The first and the last line, in the file of that side. */
    from: z.int(),
    to: z.int(),
    /** The last line as the diff had it: by this text, and by what is around it, it is found again after a rebase. */
    quoted: z.string(),
    around: surroundingsSchema.optional(),
    text: z.string(),
  }),
  /** The commit message in place of that of the agent, which was `instead` when it was written. */
  z.object({ kind: z.literal('message'), text: z.string(), instead: z.string() }),
]);
export type Draft = Readonly<z.infer<typeof draftSchema>>;
export type CommentDraft = Extract<Draft, { kind: 'comment' }>;
export type MessageDraft = Extract<Draft, { kind: 'message' }>;

/** Replaces the draft with this id. */
export function putDraft(
  database: Database,
  row: { readonly id: string; readonly worker: string; readonly draft: Draft },
  now: Instant,
): void {
  const { kind, ...content } = row.draft;
  prepared(
    database,
    `INSERT INTO drafts (id, worker, kind, content, at_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET content = excluded.content WHERE worker = excluded.worker AND kind = excluded.kind`,
  ).run(row.id, row.worker, kind, JSON.stringify(content), Math.floor(now));
}

export function dropDrafts(database: Database, worker: string, ids: readonly string[]): void {
  for (const id of ids) prepared(database, 'DELETE FROM drafts WHERE worker = ? AND id = ?').run(worker, id);
}

/** A draft as it was sent. */
export const sentDraftSchema = z.object({ id: z.string(), text: z.string() });
export type SentDraft = Readonly<z.infer<typeof sentDraftSchema>>;

/** Deletes those that still have the text that was sent. Returns the others: they have a newer text. */
export function dropSent(database: Database, worker: string, sent: readonly SentDraft[]): readonly string[] {
  const stored = new Map(listKeptDrafts(database, worker).map(({ id, draft }) => [id, draft.text]));
  const changed = sent.filter(({ id, text }) => (stored.get(id) ?? text) !== text).map(({ id }) => id);
  dropDrafts(
    database,
    worker,
    sent.flatMap(({ id }) => (changed.includes(id) ? [] : [id])),
  );
  return changed;
}

export interface KeptDraft<Kind extends Draft = Draft> {
  readonly id: string;
  readonly draft: Kind;
}

/** Those of a worker, in the order in which they were begun. One that cannot be read is left out, and stays where it is. */
export function listKeptDrafts(database: Database, worker: string): readonly KeptDraft[] {
  return prepared(database, 'SELECT id, kind, content FROM drafts WHERE worker = ? ORDER BY at_ms, rowid')
    .all(worker)
    .flatMap((row) => {
      const content = contentSchema.safeParse(row['content']);
      const draft = draftSchema.safeParse({ ...content.data, kind: row['kind'] });
      return draft.success ? [{ id: String(row['id']), draft: draft.data }] : [];
    });
}

const contentSchema = z.string().transform((text, context): Record<string, unknown> => {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    context.addIssue('not an object as JSON');
    return z.NEVER;
  }
});

export function listKeptComments(database: Database, worker: string): readonly KeptDraft<CommentDraft>[] {
  return listKeptDrafts(database, worker).flatMap(({ id, draft }) => (draft.kind === 'comment' ? [{ id, draft }] : []));
}

/** The newest commit message that a person wrote for this work. */
export function writtenMessage(database: Database, worker: string): MessageDraft | undefined {
  return listKeptDrafts(database, worker)
    .map(({ draft }) => draft)
    .findLast((draft) => draft.kind === 'message');
}

/** Everything that was written about the work of a worker. */
export function forgetDrafts(database: Database, worker: string): void {
  prepared(database, 'DELETE FROM drafts WHERE worker = ?').run(worker);
}
