/**
 * Orders work so that as much as possible lands without a conflict: the one that conflicts with the fewest others first, and those that
 * it conflicts with last. Names keep their order where nothing else decides.
 */
export function landingOrder(names: readonly string[], clashes: readonly (readonly [string, string])[]): readonly string[] {
  const rivals = (name: string, among: readonly string[]) =>
    among.filter((other) => clashes.some(([a, b]) => (a === name && b === other) || (b === name && a === other)));
  const first: string[] = [];
  const last: string[] = [];
  let open = [...names];
  while (open.length > 0) {
    const counts = open.map((name) => rivals(name, open).length);
    const chosen = open[counts.indexOf(Math.min(...counts))] ?? '';
    const beaten = rivals(chosen, open);
    first.push(chosen);
    last.push(...beaten);
    open = open.filter((name) => name !== chosen && !beaten.includes(name));
  }
  return [...first, ...last];
}
