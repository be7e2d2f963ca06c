/** Splits `-z` output; the list ends with a terminator, not a separator. */
export function splitZ(text: string): string[] {
  const parts = text.split('\0');
  if (parts.at(-1) === '') parts.pop();
  return parts;
}
