import * as z from 'zod';

/** A full object name. Never a revision that git would interpret, and never an option. */
export const objectName = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** A path below a worktree in its normal form, and not in a git directory. */
const pathBelow = z
  .string()
  .max(4_096)
  .refine((path) => path.split('/').every((name) => !['', '.', '..', '.git'].includes(name.toLowerCase())) && !path.includes('\0'));

const insideSchema = z.object({
  path: pathBelow,
  sha: objectName,
  /** The commit that was checked out there; null before the first commit. */
  head: objectName.nullable(),
  /** The commit that the outer repository had recorded. */
  recorded: objectName.nullable(),
  /** `folder`: not a repository, only files at the path of one. */
  kind: z.enum(['repository', 'folder']),
});

/** The saved part of a repository inside the worktree. Its commit is another parent of the rescue. */
export type NestedRescue = Readonly<z.infer<typeof insideSchema>>;

const recordSchema = z.object({
  /** How many files were not committed. */
  files: z.int().nonnegative(),
  /** How many commits main did not have; null if git could not say. */
  commits: z.int().nonnegative().nullable(),
  task: z.string().nullable(),
  inside: z.array(z.unknown()),
  /** Commits besides HEAD and the branch: of the reflog, of other branches. */
  others: z.array(objectName),
});

export type RescueRecord = Readonly<Omit<z.infer<typeof recordSchema>, 'inside'>> & { readonly inside: readonly NestedRescue[] };

/** Starts the last line of a message. JSON has no line feed, so no value in it can start a line. */
const RECORD = 'Record: ';

export const recordLine = (record: RescueRecord): string => `${RECORD}${JSON.stringify(record)}`;

/** Reads a rescue's message, which anyone who can write to the root's repository may have written: each value is checked. */
export function parseRecord(message: string): RescueRecord & { readonly invalid: number } {
  const last = message.trimEnd().split('\n').at(-1) ?? '';
  const record = last.startsWith(RECORD) ? recordSchema.safeParse(fromJson(last.slice(RECORD.length))) : undefined;
  const { inside, ...rest } = record?.data ?? UNREADABLE;
  const parsed = inside.map((each) => insideSchema.safeParse(each));
  const valid = parsed.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return { ...rest, inside: valid, invalid: parsed.length - valid.length };
}

const UNREADABLE = { files: 0, commits: null, task: null, inside: [undefined], others: [] };

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
