export function table<One extends { readonly when: string }, Step extends { readonly why: string }>(
  cases: readonly One[],
  then: (step: Step) => string,
  decide: (one: One) => Step,
): string {
  const rows = cases.map((one) => {
    const step = decide(one);
    return `| ${one.when} | ${then(step)} | ${step.why} |`;
  });
  return ['| when | then | because |', '|---|---|---|', ...rows, ''].join('\n');
}

export function shortTable(when: string, then: string, rows: readonly (readonly [string, string])[]): string {
  return [`| ${when} | ${then} |`, '|---|---|', ...rows.map(([one, other]) => `| ${one} | ${other} |`), ''].join('\n');
}
