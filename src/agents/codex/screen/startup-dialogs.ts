import type { Choice, OpenDialog } from '../../screen-rules/dialog.ts';

interface Startup {
  /** The first line; at start-up nothing is above it. */
  readonly heading: RegExp;
  /** The question, or the heading of a dialog without one. */
  readonly question?: RegExp;
  /** A row that is always there: the text alone could belong to another dialog. */
  readonly row: RegExp;
  readonly settledBy?: RegExp;
  readonly login?: true;
}

/** Start-up dialogs of 0.166.0. Their selected row is the risky one, so a blind Enter trusts, updates or changes the model. */
const STARTUP_DIALOGS: readonly Startup[] = [
  // The folder is a worktree that llmc made itself, from the user's own repository.
  { heading: /^Folder access$/, question: /^Trust this folder\?/, row: /^Quit$/, settledBy: /^Trust and continue$/ },
  // The launch trusts llmc's own hooks; other hooks run only after a person has reviewed them.
  { heading: /^Hooks need review$/, row: /^Trust all and continue$/, settledBy: /^Continue without trusting\b/ },
  // No user wants a global installation under running agents.
  { heading: /^Update available\b/, row: /^Update now\b/, settledBy: /^Skip$/ },
  // The user chose the model, or chose to leave it to Codex as it is.
  { heading: /^\S/, row: /^Try new model$/, settledBy: /^Use existing model$/ },
  // The work is in the worktree.
  { heading: /^Working directory · resume$/, row: /^Use current directory\b/, settledBy: /^Use current directory\b/ },
  // A person decides which account pays.
  { heading: /\S/, question: /^Choose how you want to use Codex/, row: /^Sign in with ChatGPT$/, login: true },
];

export function readStartup(
  heading: readonly string[],
  first: string,
  choices: readonly Choice[],
): Pick<OpenDialog, 'question' | 'settledBy' | 'login'> | undefined {
  const open = STARTUP_DIALOGS.find((known) => known.heading.test(first) && choices.some(({ label }) => known.row.test(label)));
  return open && { question: readQuestion(open, heading, first), settledBy: open.settledBy, login: open.login };
}

function readQuestion({ question }: Startup, heading: readonly string[], first: string): string {
  const words = heading.map((line) => line.trim());
  return (question && words.flatMap((line) => question.exec(line)?.[0] ?? []).at(-1)) ?? first;
}
