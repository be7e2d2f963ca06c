import * as z from 'zod';

const text = z.string().max(1_000);

/** A JavaScript regular expression with the `u` flag for one line of a screen. */
export const pattern = text.superRefine((value, issues) => {
  const flaw = findFlaw(value);
  if (flaw !== undefined) issues.addIssue({ code: 'custom', message: `expected a regular expression: ${flaw}` });
});

/** The same, with a required group around the searched text. */
export const catchingPattern = text.superRefine((value, issues) => {
  const flaw = findFlaw(value) ?? (groupsIn(value) === 0 ? 'a group ( ) around the text in the box is missing' : undefined);
  if (flaw !== undefined) issues.addIssue({ code: 'custom', message: `expected a regular expression: ${flaw}` });
});

function findFlaw(source: string): string | undefined {
  // An empty pattern would match every line of every screen.
  if (source === '') return 'it is empty';
  try {
    new RegExp(source, 'u');
    return undefined;
  } catch (error) {
    // V8 repeats the whole pattern before the reason, so remove it.
    return error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 2) : String(error);
  }
}

/** Counts the groups: with an empty alternative the pattern matches an empty line, and the match has one entry per group. */
function groupsIn(source: string): number {
  return (new RegExp(`${source}|`, 'u').exec('')?.length ?? 1) - 1;
}

const NAMED_KEYS = 'Enter|Escape|Space|Tab|BTab|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|PPage|NPage|DC|IC|F1?\\d';

/** Refuses unknown key names, because tmux types them as letters: `Esc` would be three letters. */
export const keyName = z.string().regex(new RegExp(`^(?:[CMS]-)*(?:${NAMED_KEYS}|[!-~])$`), {
  error: 'expected the name tmux has for a key, such as "Escape", "Enter", "C-c", "M-x"',
});

/** Files below the top of the repository. */
export const glob = text.min(1).regex(/^(?!\/|\.\.(?:\/|$))(?!.*\/\.\.(?:\/|$))[^\0]*$/s, {
  error: 'expected a glob below the top of the repository, such as "**/package-lock.json"',
});
