export interface Choice {
  readonly label: string;
  /** Null for a row without a number. */
  readonly number: number | null;
  readonly selected: boolean;
}

/** An open list of choices, with the text around it. */
export interface OpenDialog {
  readonly kind: string;
  /** The tool that asks for a permission; otherwise ''. */
  readonly tool: string;
  /** The action of that tool, if the question does not contain it. */
  readonly command?: string | undefined;
  readonly question: string;
  readonly choices: readonly Choice[];
  /** Several rows may be chosen. */
  readonly several?: boolean | undefined;
  /** It asks how to log in: no answer of llmc helps. */
  readonly login?: boolean | undefined;
  /** The row that llmc may pick by itself, because the user decided it in the configuration. Without one a person decides. */
  readonly settledBy?: RegExp | undefined;
}

/** The index of the row that llmc may pick by itself. */
export function settledRow({ choices, settledBy }: OpenDialog): number | undefined {
  const row = settledBy === undefined ? -1 : choices.findIndex(({ label }) => settledBy.test(label));
  return row === -1 ? undefined : row;
}
