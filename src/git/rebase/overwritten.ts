/** git lists the files it would overwrite one per line behind a tab. */
export function overwrittenFiles(stderr: string): string[] {
  if (!/would be (overwritten|removed) by|would lose untracked files/.test(stderr)) return [];
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('\t'))
    .map((line) => line.slice(1).replace(/\/$/, ''));
}
