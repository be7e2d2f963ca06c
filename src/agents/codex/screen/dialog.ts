import type { Choice, OpenDialog } from '../../screen-rules/dialog.ts';
import { readChoices } from './choices.ts';
import type { CodexFrame } from './frame.ts';
import { readStartup } from './startup-dialogs.ts';

export interface CodexDialog extends OpenDialog {
  readonly kind: DialogKind;
  /** The line of notes below the choices of a question, if it is open. */
  readonly notes: string | undefined;
  /** The dialog's first line; the conversation is above. */
  readonly from: number;
}

/** `nudge`: Codex offers another model near a usage limit; `locked`: the conversation is open elsewhere; `menu`: a person opened it. */
type DialogKind = 'startup' | 'permission' | 'question' | 'nudge' | 'locked' | 'other' | 'menu';

const NUDGE_ANSWER = /^Keep current model$/;

/** The tool that asks, by the sentence above the choices. */
const PERMISSIONS: readonly { readonly words: RegExp; readonly tool: string }[] = [
  { words: /^Would you like to run the following command\?/, tool: 'Bash' },
  { words: /^Would you like to make the following edits\?/, tool: 'apply_patch' },
  { words: /^Would you like to send input to terminal /, tool: 'write_stdin' },
  { words: /^Do you want to approve network access to /, tool: 'network' },
  { words: /^(?:Would you like to|Do you want to) .*\?/, tool: 'unknown' },
];

/** The lowest lines of every dialog name its keys; no other screen ends like that. */
const KEYS = /^ {1,3}(?:Press enter to |enter[ /]|tab (?:to|or) |r retry |k keep )/;
const PERMISSION_KEYS = /^ {2}Press enter to confirm or esc to cancel/;
const LOCKED_KEYS = /^ {1,3}r retry +f fork +/;
/** Opened by a person with a command. */
const MENU = /^(?:Select |Update Model Permissions$|Resume )/;
const QUESTION = /^ {2}Question \d+\/\d+ \(/;

export function readDialog(frame: CodexFrame): CodexDialog | undefined {
  if (frame.box.kind !== 'absent' || frame.ghost) return undefined;
  const lowest = frame.lines.filter((line) => line !== '').slice(-3);
  if (!lowest.some((line) => KEYS.test(line))) return undefined;
  if (lowest.some((line) => LOCKED_KEYS.test(line))) return locked(frame.lines);
  const list = readChoices(frame.lines);
  const first = frame.lines.find((line) => line !== '')?.trim() ?? '';
  if (list === undefined) return plain('menu', first, []);
  const { choices } = list;
  const heading = frame.lines.slice(0, list.firstLine);
  const startup = readStartup(heading, first, choices);
  if (startup !== undefined) return { ...plain('startup', startup.question, choices), settledBy: startup.settledBy, login: startup.login };
  if (lowest.some((line) => PERMISSION_KEYS.test(line))) return permission(heading, choices);
  const asked = heading.findLastIndex((line) => QUESTION.test(line));
  if (asked !== -1) {
    const question = joined(heading.slice(asked + 1));
    return { ...plain('question', question, choices), notes: notesBelow(frame.lines.slice(list.endLine)), from: asked };
  }
  const from = lastParagraphStart(heading);
  const question = joined(heading.slice(from));
  if (/^Approaching rate limits\b/.test(question)) return { ...plain('nudge', question, choices), settledBy: NUDGE_ANSWER, from };
  // Without a title the opener is unknown; the title has "Action Required" only when Codex itself asks.
  const own = /^(?:Implement this plan\?|Where should the new conversation run\?)/.test(question);
  const opened = frame.title === undefined ? !MENU.test(question) : frame.title.state === 'asking' || own;
  return { ...plain(opened ? 'other' : 'menu', question, choices), from };
}

function permission(heading: readonly string[], choices: readonly Choice[]): CodexDialog {
  const words = heading.map((line) => (/^ {2}\S/.test(line) ? line.trim() : ''));
  const at = words.findLastIndex((line) => PERMISSIONS.some((known) => known.words.test(line)));
  const question = at === -1 ? '' : (words[at] ?? '');
  const tool = PERMISSIONS.find((known) => known.words.test(question))?.tool ?? 'unknown';
  const command = commandBelow(heading.slice(at + 1));
  return { ...plain('permission', question, choices), tool, command, from: Math.max(at, 0) };
}

/** Everything from the `$` down to the choices, with its own line breaks. */
function commandBelow(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => line.startsWith('  $ '));
  if (at === -1) return undefined;
  return lines
    .slice(at)
    .map((line) => line.slice(2))
    .join('\n')
    .slice(2)
    .trim();
}

const LOCKED_CHOICES = ['Retry', 'Fork', 'Exit'];

function locked(lines: readonly string[]): CodexDialog {
  const from = Math.max(
    lines.findLastIndex((line) => line.includes('🔒')),
    0,
  );
  const question = lines[from]?.replace(/^[^A-Za-z]*/, '').split(/ {3,}/)[0] ?? '';
  const choices = LOCKED_CHOICES.map((label, index) => ({ label, number: index + 1, selected: false }));
  return { ...plain('locked', question, choices), from };
}

function notesBelow(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => /^ {2}› /.test(line));
  if (at === -1) return undefined;
  const end = lines.indexOf('', at);
  const text = joined([lines[at]?.slice(4) ?? '', ...lines.slice(at + 1, end === -1 ? undefined : end)]);
  return text === 'Add notes' ? '' : text;
}

function lastParagraphStart(heading: readonly string[]): number {
  const end = heading.findLastIndex((line) => line !== '');
  return heading.slice(0, Math.max(end, 0)).lastIndexOf('') + 1;
}

const joined = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

function plain(kind: DialogKind, question: string, choices: readonly Choice[]): CodexDialog {
  return { kind, tool: '', question, choices, notes: undefined, from: 0 };
}
