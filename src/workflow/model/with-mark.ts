/** Each mark once. */
export function withMark(marks: readonly string[], mark: string | undefined): readonly string[] {
  return mark === undefined || marks.includes(mark) ? marks : [...marks, mark];
}
