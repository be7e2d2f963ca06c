import { type ErrorText, matchingText } from './screen-rules/error-text.ts';

/** What the last lines of an agent say about its end, beside status and signal. */
export type ExitOutput = 'rate_limit' | 'timeout' | 'fatal' | 'missing_program' | 'resume_refused';

/** What a shell returns for a program that it cannot find or run. */
const CANNOT_RUN: readonly (number | null)[] = [126, 127];
/** Only a line that begins as an error: conversations mention these words too. */
const LIMITED = /^(?:\S+: )?(?:API )?error\b.*(?:\b429\b|rate.?limit|too many requests|usage limit)/i;
const TIMED_OUT =
  /^(?:\S+: )?(?:API )?error\b.*(?:\btime(?:d )?[ -]?out\b|\bconnection (?:was )?(?:lost|closed|reset|aborted)\b|\bETIMEDOUT\b|\bECONNRESET\b)/i;
const LAST_LINES = 10;
/** A terminal wraps the text of a refusal. */
const MOST_ROWS = 3;

/** `refusals`: the texts with which the CLI refuses to start; undefined once it has started, because a conversation may quote them. */
export function judgeExitOutput(
  lines: readonly string[],
  status: number | null,
  refusals: readonly ErrorText[] | undefined,
): ExitOutput | undefined {
  const shown = lines.filter((line) => line !== '' && !line.startsWith('Pane is dead'));
  if (refusals !== undefined) {
    if (CANNOT_RUN.includes(status)) return 'missing_program';
    const refusal = matchingText(shown, refusals, MOST_ROWS);
    if (refusal?.refusesResume === true) return 'resume_refused';
    if (refusal?.recoverable === false) return 'fatal';
  }
  if (status === 0) return undefined;
  const last = shown.slice(-LAST_LINES).map((line) => line.trim());
  if (last.some((line) => LIMITED.test(line))) return 'rate_limit';
  return last.some((line) => TIMED_OUT.test(line)) ? 'timeout' : undefined;
}
