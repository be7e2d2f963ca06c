/** Finds a row by its text, by its number, or by a beginning that fits only one row. */
export function matchingChoice(
  choices: readonly { readonly label: string; readonly number: number | null }[],
  choice: string,
): number | undefined {
  const wanted = choice.trim().toLowerCase();
  if (wanted === '') return undefined;
  const find = (test: (one: (typeof choices)[number], index: number) => boolean) =>
    choices.flatMap((one, index) => (test(one, index) ? [index] : []));
  const exact = find(({ label }) => label.toLowerCase() === wanted);
  if (exact[0] !== undefined) return exact[0];
  if (isRowNumber(wanted)) {
    const numbered = choices.some(({ number }) => number !== null);
    return find(({ number }, index) => (numbered ? number : index + 1) === Number(wanted))[0];
  }
  // Beginnings count in both directions: a person shortens, and a narrow screen shows only the first line of a label.
  const begins = find(
    ({ label }) => label.toLowerCase().startsWith(wanted) || (label.length >= 20 && wanted.startsWith(label.toLowerCase())),
  );
  return begins.length === 1 ? begins[0] : undefined;
}

/** Whether an answer names a row by its number. Beside choices a bare number is never free text: a slip of the finger would become the answer. */
export function isRowNumber(choice: string): boolean {
  return /^\d{1,2}$/.test(choice.trim());
}

/** The same for several rows: where one alone counts, `1,3` is not free text either. */
export function areRowNumbers(choice: string): boolean {
  return choice.split(',').every(isRowNumber);
}
