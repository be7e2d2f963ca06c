import type { AgentErrorType } from '../../activity.ts';
import { type ErrorText, errorText, resumeRefusal } from '../../screen-rules/error-text.ts';
import { compareVersions } from '../../versions.ts';

/** `reply`: `●`, text of Claude, and most API errors; `note`: `⎿` or `●` with a no-break space, text of Claude Code itself. */
export type Speaker = 'reply' | 'note';

interface TurnError extends ErrorText {
  /** How the paragraph is marked; a reply may have the same text as a note. */
  readonly by: Speaker;
}

/** The texts of Claude Code on the screen, as far as llmc reads them. One object per range of versions: see `textsFor`. */
export interface Texts {
  /** A rule above or below the input box; the upper one may carry the session's name. */
  readonly rule: RegExp;
  /** The first line between the rules: the glyph (`!` in shell mode) and, behind a no-break space, the text. */
  readonly boxStart: RegExp;
  /** The edge of a menu or dialog that slides over the lower part of the screen. */
  readonly sheetEdge: RegExp;
  /** The first run of all has no rule above its dialogs. */
  readonly welcome: RegExp;
  /** The dashed edges and key hints of a dialog, which remain visible when its top does not fit on the screen. */
  readonly dialogPart: RegExp;
  /** Grey hints inside an empty box, which look like typed text in a plain capture. */
  readonly placeholder: RegExp;
  /** Replaces a long paste and shows how many lines follow the first. */
  readonly folded: RegExp;
  readonly promptMark: RegExp;
  readonly resultMark: RegExp;
  readonly tip: RegExp;
  readonly spinner: RegExp;
  readonly finished: RegExp;
  readonly stillRunning: RegExp;
  readonly busyHint: RegExp;
  readonly retrying: RegExp;
  readonly compacting: RegExp;
  /** Shown under a command that a person runs in shell mode; there is no spinner then. */
  readonly running: RegExp;
  readonly interrupted: RegExp;
  readonly declined: RegExp;
  readonly backgroundHint: RegExp;
  readonly limitBanner: RegExp;
  readonly limitContinues: RegExp;
  readonly limitReached: RegExp;
  readonly resets: RegExp;
  readonly errors: readonly TurnError[];
  readonly launchErrors: readonly ErrorText[];
  readonly banner: RegExp;
  /** The last line of the view that Ctrl+O opens. */
  readonly transcriptView: RegExp;
  /** Printed after Ctrl+Z. */
  readonly suspended: RegExp;
  readonly leftBehind: RegExp;
}

const error = (by: Speaker, pattern: RegExp, type: AgentErrorType, recoverable: boolean): TurnError => ({
  by,
  ...errorText(pattern, type, recoverable),
});

/** Recorded with 2.1.325. */
const TEXTS_2_1: Texts = {
  rule: /^─{8,}(?: .+ ─+)?$/,
  boxStart: /^([❯!])(?:\u00a0(.*))?$/,
  sheetEdge: /▔$/,
  welcome: /^Welcome to Claude Code v/,
  dialogPart: /^(?:╌{8,}$| ?(?:Enter to (?:select|confirm) · | ?Esc to cancel\b))/,
  placeholder:
    /^(?:Press up to (?:edit|select) |Press Enter to edit the selected message|Taking your message back…|Message @.*…$|Try ".*"$)/,
  folded: /\[Pasted text #\d+(?: \+(\d+) lines)?\]/,
  // An ordinary space: only the live box has the no-break one. `!` marks a command a person ran in shell mode.
  promptMark: /^[❯!] /,
  resultMark: /^(●[ \u00a0]| {2}⎿ \u00a0)(.*)$/,
  tip: /^ {2}⎿ \u00a0Tip: /,
  spinner: /^[·✢✳✶✻✽*] \S.*(?:…(?: \(.*)?$| · (?:Retrying|next try) in )/,
  finished: /^[·✢✳✶✻✽*] \S+ for \d/,
  stillRunning: / · \d+ .+ still running$/,
  busyHint: / · esc to interrupt\b/,
  retrying: / · (?:Retrying|next try) in .* · attempt \d+/,
  compacting: /^\S Compacting conversation…/,
  running: /^Running…/,
  interrupted: /^(?:Interrupted · What should Claude do instead\?|User rejected )/,
  declined: /^User declined to answer questions/,
  backgroundHint: / · \d+ (?:shell|background task|agent|task)s?\b/,
  limitBanner: /^ {2}⚠ Usage limit reached/,
  limitContinues: /Continuing automatically at /i,
  limitReached: /^You've hit your .*limit/,
  resets: /\bresets (?:at )?(.+?)\s*$/,
  errors: [
    error('reply', /^API Error: (?:Request rejected \(429\)|429 \{)/, 'rate_limit', true),
    error('reply', /^API Error: (?:Repeated )?529 Overloaded\b/, 'overloaded', true),
    error('reply', /^API Error: (?:Connection |Unable to connect|Request timed out|EPROTO)/, 'network', true),
    error('reply', /^API Error: 5\d\d .*This is a server-side issue/, 'api', true),
    error('reply', /^(?:Please run \/login · |Not logged in · |Login expired · )/, 'auth', false),
    error('note', /^Invalid API key · /, 'auth', false),
    error('reply', /^API Error: 40[13] /, 'auth', false),
    error('note', /^Credit balance (?:is )?too low\b/, 'billing', false),
    error('note', /^Prompt is too long(?: · |$)/, 'context_full', false),
    error('reply', /^There's an issue with the selected model \(/, 'invalid_request', false),
    error('reply', /^API Error: (?:4\d\d (?:\{|due to |duplicate |orphaned )|Request rejected \(4\d\d\))/, 'invalid_request', false),
    error('reply', /^API Error: \d{3} \{/, 'api', true),
  ],
  launchErrors: [
    errorText(/^--dangerously-skip-permissions cannot be used with root\/sudo/, 'invalid_request', false),
    resumeRefusal(/^No conversation found with session ID/),
    errorText(/^(?:Error: )?Session ID \S+ is already in use/, 'invalid_request', false),
    errorText(/^ ?Unable to connect to Anthropic services/, 'network', true),
  ],
  transcriptView: /^ {2}Showing detailed transcript · ctrl\+o to toggle/,
  suspended: /^Claude Code has been suspended\. Run `fg` to bring Claude Code back\.$/,
  banner: /Claude Code v(\d+\.\d+\.\d+)/,
  leftBehind: /^Resume this session with:$/,
};

/** Newest first. A version without recorded screens gets the texts of the newest one before it. */
const RECORDED: readonly { readonly from: string; readonly recorded: readonly string[]; readonly texts: Texts }[] = [
  { from: '0.0.0', recorded: ['2.1.325'], texts: TEXTS_2_1 },
];

export function textsFor(version: string | undefined): Texts {
  const match = version === undefined ? undefined : RECORDED.find((range) => compareVersions(version, range.from) >= 0);
  return match?.texts ?? TEXTS_2_1;
}

/** Each has its folder of recorded screens. */
export const RECORDED_VERSIONS: readonly string[] = RECORDED.flatMap(({ recorded }) => recorded);
