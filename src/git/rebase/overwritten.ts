/** Reads the files that git would overwrite: git prints one per line, after a tab. */
export function overwrittenFiles(stderr: string): string[] {
  if (!/would be (overwritten|removed) by|would lose untracked files/.test(stderr)) return [];
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('\t'))
    .map((line) => line.slice(1).replace(/\/$/, ''));
}

/** Those of them that git does not track: untracked and ignored ones. */
export function untrackedAmongThem(stderr: string): string[] {
  const sections = stderr.matchAll(/(?:untracked working tree files would be|would lose untracked files)[^\n]*\n(?:\t[^\n]*\n?)+/g);
  return [...sections].flatMap(([section]) => overwrittenFiles(section));
}
