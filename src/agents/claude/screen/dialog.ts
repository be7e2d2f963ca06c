import type { OpenDialog } from '../../screen-rules/dialog.ts';
import { type ClaudeChoice, readChoices, readLowerChoices } from './choices.ts';
import type { ClaudeFrame } from './frame.ts';
import { readStartup } from './startup-dialogs.ts';

export interface ClaudeDialog extends OpenDialog {
  readonly kind: DialogKind;
  readonly choices: readonly ClaudeChoice[];
  /** The page that submits the answers of the pages before. */
  readonly submits: boolean;
}

type DialogKind = 'startup' | 'permission' | 'question' | 'limit' | 'other' | 'menu';

/** First line of a permission dialog → the tool behind it. Other tools show their own name there. */
const TOOL_TITLES: Readonly<Record<string, string>> = {
  'Bash command': 'Bash',
  'Create file': 'Write',
  'Overwrite file': 'Write',
  'Edit file': 'Edit',
  'Read file': 'Read',
  Fetch: 'WebFetch',
  'Web Search': 'WebSearch',
  'Exit plan mode?': 'ExitPlanMode',
  'Ready to code?': 'ExitPlanMode',
};

const QUESTION_TOOLS: readonly { readonly words: RegExp; readonly tool: string }[] = [
  { words: /^Do you want to (?:create|overwrite) /, tool: 'Write' },
  { words: /^Do you want to make this edit /, tool: 'Edit' },
  { words: /^Do you want to allow Claude to fetch /, tool: 'WebFetch' },
  { words: /plan mode|written up a plan/, tool: 'ExitPlanMode' },
];

const PERMISSION_QUESTION = /^(?:Do you want to |Claude wants to |.*Would you like to proceed\?$)/;
const DASHED = /^╌+$/;
const TAB_BAR = /^(?:←\s+)?[☐☒✔] /;
/** Rows that Claude Code adds to every question; they are not answers. */
export const OWN_ROW = /^(?:Type something\.?|Chat about this)$/;
const LIMIT_ANSWER = /^Stop and wait for limit to reset$/;

export function readDialog(frame: ClaudeFrame): ClaudeDialog | undefined {
  const { sheet } = frame;
  if (sheet === undefined) return undefined;
  const list = readChoices(sheet.lines) ?? (sheet.cut ? readLowerChoices(sheet.lines) : undefined);
  const heading = sheet.lines.slice(0, list?.firstLine).map((line) => line.trim());
  const text = heading.filter((line) => line !== '' && !/^[─╌▔]+$/.test(line));
  const choices = list?.choices ?? [];
  const startup = readStartup(text);
  if (startup !== undefined) return { kind: 'startup', ...startup, tool: '', choices, submits: false };
  // A prompt glyph with an ordinary space right under the rule is the box of the agents view: text typed there starts another session.
  if (list === undefined || sheet.lines[0]?.startsWith('❯ ')) return menu(text, keyChoices(lastParagraph(heading)));
  const question = lastParagraph(heading);
  const several = choices.some(({ checked, label }) => checked !== null && !OWN_ROW.test(label));
  const base = { tool: '', question, choices, several, submits: false };
  if (choices.some(({ label }) => LIMIT_ANSWER.test(label))) return { ...base, kind: 'limit', settledBy: LIMIT_ANSWER };
  const isForm = TAB_BAR.test(text[0] ?? '') || choices.some(({ label }) => OWN_ROW.test(label));
  // A model asks "Do you want to use tabs?" in the words of a permission.
  if (!isForm && isPermission(question, choices)) {
    const tool = nameTool(text, question);
    return { ...base, kind: 'permission', tool, command: readCommand(heading, tool) };
  }
  if (choices.some(({ label }) => label === 'Submit answers')) {
    return { ...base, kind: 'question', question: reviewed(text) ?? question, submits: true };
  }
  if (isForm) {
    return { ...base, kind: 'question', question: sheet.cut && !question.includes('?') ? '' : question };
  }
  // An unknown sheet: over a conversation, a person opened it (model, rewind, …); anywhere else it blocks the agent.
  return sheet.overlay ? menu(text, choices) : { ...base, kind: 'other' };
}

/** `Enter to stay in auto mode · shift+Tab to leave … · Esc to cancel`: a dialog without a list names its keys in its last line. */
function keyChoices(keys: string): readonly ClaudeChoice[] {
  const offers = keys.split(' · ').map((offer) => /^(Enter|shift\+Tab|Esc) to (.+)$/i.exec(offer));
  const [first] = offers;
  // A page of settings that a person opened ends like this too, with keys that llmc does not press.
  if (first?.[1]?.toLowerCase() !== 'enter' || offers.includes(null)) return [];
  return offers.flatMap((offer) => {
    const key = TMUX_KEYS[offer?.[1]?.toLowerCase() ?? ''];
    return key === undefined ? [] : [{ label: offer?.[2] ?? '', number: null, selected: false, checked: null, key }];
  });
}

const TMUX_KEYS: Readonly<Record<string, string>> = { enter: 'Enter', 'shift+tab': 'BTab', esc: 'Escape' };

/** A wrapped question is one paragraph: the lines right above the first choice, or the last ones before a gap. */
function lastParagraph(heading: readonly string[]): string {
  const end = heading.findLastIndex((line) => line !== '');
  let start = end;
  while (start > 0 && heading[start - 1] !== '' && !/^[─╌▔]+$/.test(heading[start - 1] ?? '')) start -= 1;
  return heading.slice(Math.max(0, start), end + 1).join(' ');
}

/** The last question on the page of answers, which is still open until the page is submitted. */
function reviewed(text: readonly string[]): string | undefined {
  return text.findLast((line) => line.startsWith('● '))?.slice(2);
}

function isPermission(question: string, choices: readonly ClaudeChoice[]): boolean {
  return PERMISSION_QUESTION.test(question) && choices.some(({ label }) => /^Yes\b/.test(label));
}

function nameTool(text: readonly string[], question: string): string {
  const title = text[0] ?? '';
  const known = TOOL_TITLES[title];
  if (known !== undefined) return known;
  // The top is not visible, but the question names the action.
  return QUESTION_TOOLS.find(({ words }) => words.test(question))?.tool ?? (/^[A-Z][\w ]{0,40}$/.test(title) ? title : 'unknown');
}

/** Their question names the file, and the text above it is the file or the plan. */
const NAMED_BY_QUESTION: readonly string[] = ['Edit', 'Write', 'ExitPlanMode'];
/** A command that is taller than the screen shows only its end. */
const LINES_OF_A_CUT_COMMAND = 3;

/** The text between the two dashed rules of the dialog. */
function readCommand(heading: readonly string[], tool: string): string | undefined {
  const end = heading.findLastIndex((line) => DASHED.test(line));
  if (end === -1 || NAMED_BY_QUESTION.includes(tool)) return undefined;
  const start = heading.slice(0, end).findLastIndex((line) => DASHED.test(line));
  const lines = heading.slice(start + 1, end).map((line) => line.replace(/^│ /, ''));
  const shown = start === -1 ? ['…', ...lines.slice(-LINES_OF_A_CUT_COMMAND)] : lines;
  return shown.join('\n').trim() || undefined;
}

function menu(text: readonly string[], choices: readonly ClaudeChoice[]): ClaudeDialog {
  return { kind: 'menu', tool: '', question: text[0] ?? '', choices, submits: false };
}
