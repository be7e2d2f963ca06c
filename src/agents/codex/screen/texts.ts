import { type ErrorText, errorText, resumeRefusal } from '../../screen-rules/error-text.ts';

/** The texts of Codex on the screen, as far as llmc reads them. Recorded with 0.166.0. */
export const TEXTS = {
  banner: /^ {2}>_ OpenAI Codex \(v(\d+\.\d+\.\d+)\)/,
  /** Starts the box, a sent prompt and the selected row of a dialog alike; `!` is the box in shell mode. */
  boxStart: /^([›!])(?: (.*))?$/,
  placeholder: /^Ask Codex to do anything$/,
  /** Replaces a paste of more than a thousand characters. */
  folded: /\[Pasted Content (\d+) chars\]/,
  /** `  GPT-5.5 default · /home/dev/proj`: drawn only once the conversation is open. */
  modelLine: /^ {2}\S.* · [/~…]/,
  /** Text that may be below the model line. */
  footerHint:
    /^ {2}(?:\? for shortcuts|← for agents|\? \/ esc close|\^c quit|tab to queue message)|⚠ \d+ warnings? · f2 to view$|^ +Shell mode$/,
  /** Notes right above the box: a limit that is near, at the right edge, and a background task, which wakes no turn when it ends. */
  margin: /^ {20,}⚠ |^ {2}\d+ background terminals? running · /,
  /** The sheet of keys that a person opens with `?`, between conversation and box. */
  shortcuts: /^ {2}Keyboard shortcuts$/,
  promptMark: /^› /,
  /** `Working (2s • esc to interrupt)`, or the current thought instead of the word. `•` and `◦` alternate; with animations off there is no mark. */
  working: /^(?:[•◦] )?\S.* \([\dhms ]+• esc to interrupt\)|^[•◦] Reconnecting to server…/,
  reconnecting: /^(?:[•◦] )?Reconnecting(?:\.\.\.| to server…)/,
  compacting: /^(?:[•◦] )?Compacting context/,
  queued: /^• (?:Messages to be submitted |Queued follow-up inputs$)/,
  finished: /^ {2}Worked for (?:<?\d+\w+ ?)+ • \d{1,2}:\d{2}/,
  /** Notes of Codex itself, which resemble a reply and may follow the end of a turn. */
  note: /^• (?:Model changed to |Context compacted|No previous message to edit|Goal )/,
  reply: /^[•✔✗] /,
  failure: /^■ /,
  interrupted: /^Conversation interrupted\b/,
  limitReached: /^You.ve hit your usage limit\b/,
  resets: /\btry again at (.+?)\.?$/,
  leftBehind: /^(?:To continue this session, run:?|Session ID: [0-9a-f-]{36}$)/,
} as const;

/** The text after a `■`. */
export const ERRORS: readonly ErrorText[] = [
  errorText(/^Quota exceeded\b|^To use Codex with your ChatGPT plan\b/, 'billing', false),
  errorText(/\blast status: 429\b|^Rate limit exceeded\b/i, 'rate_limit', true),
  errorText(/^Selected model is at capacity\b/, 'overloaded', true),
  errorText(/^We.re currently experiencing high demand\b/, 'api', true),
  errorText(/^unexpected status 40[13]\b|^Missing environment variable\b/, 'auth', false),
  errorText(/ran out of room in the model.s context window/, 'context_full', false),
  errorText(/^unexpected status 4\d\d\b|"type": ?"invalid_request_error"/, 'invalid_request', false),
  errorText(/^unexpected status 5\d\d\b|\blast status: 5\d\d\b/, 'api', true),
  errorText(/^stream disconnected before completion\b|^(?:Connection failed|error sending request)\b/i, 'network', true),
];

/** Plain lines of a program that never drew its screen. */
export const LAUNCH_ERRORS: readonly ErrorText[] = [
  resumeRefusal(/^(?:Error: |ERROR: )?No saved session found with ID|^`codex resume` without an ID to choose/),
  // Several agents at once, in a new home.
  errorText(/^ERROR: failed to initialize sqlite local db/, 'tool', true),
  errorText(/^(?:Error loading config|Error: )/, 'invalid_request', false),
  errorText(/^error: (?:unexpected argument|invalid value|unrecognized subcommand)/, 'invalid_request', false),
];
