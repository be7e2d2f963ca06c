import type { Attention } from '../../store/attention.ts';

/** An open question or permission. */
export interface AsksReport {
  /** For a permission. */
  readonly tool: string | null;
  readonly command: string | null;
  readonly question: string;
  readonly choices: readonly string[];
}

export function asksOf(attention: Attention | null): AsksReport | null {
  if (attention?.kind === 'question') return { tool: null, command: null, question: attention.question, choices: attention.choices };
  if (attention?.kind !== 'permission') return null;
  const { tool, command, question, choices } = attention;
  return { tool, command, question, choices };
}
