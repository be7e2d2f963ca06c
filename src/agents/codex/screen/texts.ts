import { type ErrorText, errorText } from '../../screen-rules/error-text.ts';

/** What Codex writes on the screen, as far as llmc reads it. Recorded with 0.166.0. */
export const TEXTS = {
  banner: /^ {2}>_ OpenAI Codex \(v(\d+\.\d+\.\d+)\)/,
  /** Starts the box, a prompt that was sent and the selected row of a dialog alike; `!` is the box in shell mode. */
  boxStart: /^([›!])(?: (.*))?$/,
  placeholder: /^Ask Codex to do anything$/,
  /** Stands for a paste of more than a thousand characters. */
  folded: /\[Pasted Content (\d+) chars\]/,
  /** `  GPT-5.5 default · /home/dev/proj`: drawn only once the conversation is open. */
  modelLine: /^ {2}\S.* · [/~…]/,
  /** What may stand below the model line. */
  footerHint:
    /^ {2}(?:\? for shortcuts|← for agents|\? \/ esc close|\^c quit|tab to queue message)|⚠ \d+ warnings? · f2 to view$|^ +Shell mode$/,
  /** Notes right above the box: a limit that is near, at the right edge, and what was left running, which wakes nobody when it ends. */
  margin: /^ {20,}⚠ |^ {2}\d+ background terminals? running · /,
  /** The sheet of keys a person opens with `?`, between conversation and box. */
  shortcuts: /^ {2}Keyboard shortcuts$/,
  promptMark: /^› /,
  /** `Working (2s • esc to interrupt)`, or what it thinks about in place of the word. `•` and `◦` take turns; with animations off there is no mark. */
  working: /^(?:[•◦] )?\S.* \([\dhms ]+• esc to interrupt\)|^[•◦] Reconnecting to server…/,
  reconnecting: /^(?:[•◦] )?Reconnecting(?:\.\.\.| to server…)/,
  compacting: /^(?:[•◦] )?Compacting context/,
  queued: /^• (?:Messages to be submitted |Queued follow-up inputs$)/,
  finished: /^ {2}Worked for (?:<?\d+\w+ ?)+ • \d{1,2}:\d{2}/,
  /** Notes of the program's own, which look like a reply and may follow the end of a turn. */
  note: /^• (?:Model changed to |Context compacted|No previous message to edit|Goal )/,
  reply: /^[•✔✗] /,
  failure: /^■ /,
  interrupted: /^Conversation interrupted\b/,
  limitReached: /^You.ve hit your usage limit\b/,
  resets: /\btry again at (.+?)\.?$/,
  leftBehind: /^(?:To continue this session, run:?|Session ID: [0-9a-f-]{36}$)/,
} as const;

/** Behind a `■`. */
export const ERRORS: readonly ErrorText[] = [
  errorText(/^Quota exceeded\b|^To use Codex with your ChatGPT plan\b/, 'billing', false),
  errorText(/\blast status: 429\b|^Rate limit exceeded\b/i, 'rate_limit', true),
  errorText(/^Selected model is at capacity\b/, 'overloaded', true),
  errorText(/^We.re currently experiencing high demand\b/, 'api', true),
  errorText(/^unexpected status 40[13]\b|^Missing environment variable\b/, 'auth', false),
  errorText(/ran out of room in the model.s context window/, 'invalid_request', false),
  errorText(/^unexpected status 4\d\d\b|"type": ?"invalid_request_error"/, 'invalid_request', false),
  errorText(/^unexpected status 5\d\d\b|\blast status: 5\d\d\b/, 'api', true),
  errorText(/^stream disconnected before completion\b|^(?:Connection failed|error sending request)\b/i, 'network', true),
];

/** Plain lines of a program that never drew its screen. */
export const LAUNCH_ERRORS: readonly ErrorText[] = [
  errorText(/^(?:Error: |ERROR: )?No saved session found with ID|^`codex resume` without an ID to choose/, 'invalid_request', true),
  // Several at once, in a home none of them has used before.
  errorText(/^ERROR: failed to initialize sqlite local db/, 'tool', true),
  errorText(/^(?:Error loading config|Error: )/, 'invalid_request', false),
  errorText(/^error: (?:unexpected argument|invalid value|unrecognized subcommand)/, 'invalid_request', false),
];
