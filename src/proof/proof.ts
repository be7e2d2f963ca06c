import { z } from 'zod';

/** `both`: main and the worker had the line, because both kept it or both added it. */
const sideSchema = z.enum(['main', 'worker', 'both']);
export type Side = z.infer<typeof sideSchema>;
export type OneSide = Exclude<Side, 'both'>;

const lineSchema = z.object({
  side: sideSchema,
  /** The file of that side; for a line that came back, the file of the result. */
  path: z.string(),
  /** From 1. */
  line: z.int(),
  /** The first characters of the line, if it is long. */
  text: z.string(),
});

/** The commit of main that wrote a line. */
const originSchema = z.object({ commit: z.string(), author: z.string(), subject: z.string() });

const lossSchema = lineSchema.extend({
  /** What seems to stand for it now; the line was not for the resolution to change. */
  by: z.string().nullable(),
  /** Null for a line that is not main's own, and where git cannot say. */
  origin: originSchema.nullable(),
  /** A trailer of the result's commits names this line. */
  explained: z.boolean(),
});

const replacedSchema = lineSchema.extend({
  /**
   * - `merged`: the line `by` of the result has every word that the side added
   * - `chosen`: both sides changed the same words, and the result has the other side's line `by`
   * - `deleted`: the other side deleted the line that this one changes
   * - `reworded`: the line `by` of the result is similar, and in neither side
   * - `respaced`: the line `by` of the result has the same words, with other spaces or another comma or semicolon at its end
   * - `restructured`: a line of brackets or signs only, in a file for which the result has lines of its own
   * - `duplicate`: both sides add the line at different places, and the result has it less often
   * - `moved`: the file `by` of the result has the line
   */
  how: z.enum(['merged', 'chosen', 'deleted', 'reworded', 'respaced', 'restructured', 'duplicate', 'moved']),
  by: z.string().nullable(),
  origin: originSchema.nullable(),
});

/** A line of the result that neither side has, or not as often, and that stands for none of theirs. */
const addedSchema = z.object({ path: z.string(), line: z.int(), text: z.string() });

const modeSchema = z.string().nullable();

const stopSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('markers'), path: z.string(), line: z.int() }),
  z.object({ kind: z.literal('emptied'), path: z.string() }),
  /** The result has the files of main, and the worker's change is not part of them. */
  z.object({ kind: z.literal('empty_change') }),
  z.object({ kind: z.literal('lost_file'), path: z.string(), side: sideSchema }),
  z.object({ kind: z.literal('mode'), path: z.string(), expected: z.array(modeSchema), actual: modeSchema }),
  /** A binary file, a link or a submodule that is not the version that had to come out. */
  z.object({ kind: z.literal('content'), path: z.string() }),
]);

const noteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('moved'), path: z.string(), to: z.string(), lines: z.int() }),
  z.object({ kind: z.literal('reindented'), path: z.string(), lines: z.int() }),
  z.object({ kind: z.literal('line_endings'), path: z.string(), now: z.enum(['lf', 'crlf', 'mixed']) }),
  /** Both sides changed a file without lines; the result has the one of `side`. */
  z.object({ kind: z.literal('file_chosen'), path: z.string(), side: sideSchema }),
  /** `side` deleted the file and the other changed it; the result still has it. */
  z.object({ kind: z.literal('file_kept'), path: z.string(), side: sideSchema }),
  /** `side` deleted the file and the other changed it; the result does not have it. */
  z.object({ kind: z.literal('file_deleted'), path: z.string(), side: sideSchema }),
  /** The resolution made a file that neither side has. */
  z.object({ kind: z.literal('file_added'), path: z.string(), lines: z.int() }),
  /** A rule of config.toml decides about the file, such as a lock file that a command makes: its lines are not compared. */
  z.object({ kind: z.literal('by_rule'), path: z.string() }),
  /** Too large to compare line by line: nothing is known about it. */
  z.object({ kind: z.literal('too_large'), path: z.string() }),
]);

/** What became of both sides' lines in a resolved rebase. A list can be cut; the counts are of all. */
export const proofSchema = z.object({
  stops: z.array(stopSchema),
  dropped: z.array(lossSchema),
  /** A line that a side deleted is in the result again. */
  resurrected: z.array(lossSchema),
  /** Not in the result, with evidence of what stands for it. Main's own come first. Lands only after a person has seen it. */
  replaced: z.array(replacedSchema),
  /** What the resolution has besides the lines of both sides: a line around another one can disable it. */
  added: z.array(addedSchema),
  notes: z.array(noteSchema),
  counts: z.object({
    /** Files that were compared line by line: those whose content is not simply one side's. */
    files: z.int(),
    dropped: z.int(),
    resurrected: z.int(),
    replaced: z.int(),
    added: z.int(),
    /** Of `dropped` and `resurrected` together, those that no trailer explains. */
    unexplained: z.int(),
  }),
});

export type Proof = Readonly<z.infer<typeof proofSchema>>;
export type Loss = Readonly<z.infer<typeof lossSchema>>;
export type Replaced = Readonly<z.infer<typeof replacedSchema>>;
export type Added = Readonly<z.infer<typeof addedSchema>>;
export type LossOrigin = Readonly<z.infer<typeof originSchema>>;
export type HardStop = Readonly<z.infer<typeof stopSchema>>;
export type ProofNote = Readonly<z.infer<typeof noteSchema>>;
