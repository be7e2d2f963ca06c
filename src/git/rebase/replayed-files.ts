/** Reads the files that rerere resolved and staged: git prints one line each, and exits with 1 as for any conflict (git 2.39). */
export function replayedFiles(stderr: string): string[] {
  return [...stderr.matchAll(/^Staged '(.*)' using previous resolution\.$/gm)].flatMap(([, file]) => file ?? []);
}
