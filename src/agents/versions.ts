/** Finds the version in the output of `--version`, which differs per CLI: "2.1.325 (Claude Code)", "codex-cli 0.166.0", "v1.2.3-beta.1". */
export function versionIn(text: string): string | undefined {
  return /(?<![\w.])v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?![\w.])/.exec(text)?.[1];
}

/** Negative if `a` is older than `b`. A pre-release such as `2.2.0-beta.1` is older than its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map(parts);
  for (let index = 0; index < 3; index += 1) {
    const difference = (left?.numbers[index] ?? 0) - (right?.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  const [before, after] = [left?.suffix ?? '', right?.suffix ?? ''];
  if (before === '' || after === '') return Number(before === '') - Number(after === '');
  return before.localeCompare(after, 'en', { numeric: true });
}

function parts(version: string): { readonly numbers: readonly number[]; readonly suffix: string } {
  const [release = '', ...suffix] = version.split('-');
  return { numbers: release.split('.').map(Number), suffix: suffix.join('-') };
}

/** The known version whose texts are most likely the same: the newest older one, else the oldest. */
export function nearestVersion(version: string, known: readonly string[]): string | undefined {
  const sorted = known.toSorted(compareVersions);
  return sorted.findLast((one) => compareVersions(one, version) <= 0) ?? sorted[0];
}
