import { isDeepStrictEqual } from 'node:util';
import { type Dialog, isUnread } from '../../agents/activity.ts';
import { visibleText } from '../../base/visible-text.ts';
import type { Attention } from '../../store/attention.ts';
import { nameDialog } from '../observe/open-dialog.ts';
import type { NamedDialog } from '../observe/watch.ts';
import { askedBy } from './attention.ts';

/** An open question or permission. */
export interface AsksReport {
  /** What an answer names it by; null while no supervisor observes the dialog. */
  readonly id: string | null;
  /** For a permission. */
  readonly tool: string | null;
  readonly command: string | null;
  readonly question: string;
  readonly choices: readonly string[];
  /** Whether an answer may name several choices. */
  readonly several: boolean;
  /** The lines of the agent's screen, where only they say what is asked. */
  readonly screen: readonly string[] | null;
}

/** `open`: the dialog as it was observed last, with the lines of its screen. */
export function toAsksReport(attention: Attention | null, open?: NamedDialog, screen: readonly string[] = []): AsksReport | null {
  const asks = attention?.kind === 'question' || attention?.kind === 'permission' ? attention : undefined;
  if (asks === undefined) return null;
  const { question, choices } = asks;
  const permission = asks.kind === 'permission' ? asks : { tool: null, command: null };
  const asked = { tool: permission.tool, command: permission.command, question, choices };
  if (asks.kind === 'question' && asks.gone === true) return { id: goneId(asks), ...asked, several: false, screen: null };
  // While an answer is on its way, the stored question and the observed dialog are not the same.
  const own = open !== undefined && isDeepStrictEqual(askedBy(open.dialog), asks) ? open : undefined;
  const dialog = own?.dialog;
  return {
    id: own?.id ?? null,
    ...asked,
    several: dialog?.kind === 'awaiting_question' && dialog.several === true,
    screen: dialog !== undefined && needsItsScreen(dialog) ? shownLines(screen) : null,
  };
}

export function goneId({ question, choices }: Extract<Attention, { kind: 'question' }>): string {
  return nameDialog(['gone', question, choices]);
}

/** The words of a plan, an edit or a dialog that llmc does not know are nowhere else. */
function needsItsScreen(dialog: Dialog): boolean {
  return dialog.kind === 'awaiting_permission' ? dialog.command === undefined : isUnread(dialog) || dialog.unfamiliar === true;
}

/** Without the empty lines above and below the text, and with one in place of several; null if the screen was not captured. */
function shownLines(lines: readonly string[]): readonly string[] | null {
  const isEmpty = (line: string | undefined): boolean => line === undefined || line.trim() === '';
  const shown = lines.filter((line, index) => !isEmpty(line) || !isEmpty(lines[index + 1])).map(visibleText);
  const first = shown.findIndex((line) => !isEmpty(line));
  return first === -1 ? null : shown.slice(first);
}
