import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { nearest } from '../../config/nearest.ts';
import type { Change } from '../../git/diff.ts';
import { linesAfter, shownLines } from '../../git/patch-sections.ts';

/** A remark on one line of the reviewed change. `at`: `file:line`. */
export interface PlacedRemark {
  readonly at: string;
  readonly text: string;
}

/** Refuses a remark on a file or a line that the reviewed diff does not show: the agent would search for something that is not there. */
export function checkPlaces(worker: string, { files, sections, omitted }: Change, remarks: readonly PlacedRemark[]): void {
  for (const { at, text } of remarks) {
    const { path, line } = parsePlace(at);
    const paths = files.map((file) => file.path);
    const refuse = (problem: string, instead: string | undefined) => {
      const hint =
        instead === undefined ? `llmc review ${worker} --stat` : commandLine('llmc', 'reject', '--worker', worker, '--at', instead, text);
      throw new LlmcError('INVALID_ARGUMENT', problem, { hint });
    };
    if (!paths.includes(path)) {
      const similar = nearestPath(path, paths);
      refuse(`${path} is not in the diff of ${worker}`, similar && `${similar}:${line}`);
    }
    const lines = sections.filter(({ file }) => file?.path === path).flatMap(({ text: section }) => shownLines(section));
    // Git shows no lines of a binary file, and llmc leaves out those of a very long diff.
    if (lines.length === 0 || omitted.includes(path) || lines.includes(line)) continue;
    const closest = lines.toSorted((a, b) => Math.abs(a - line) - Math.abs(b - line))[0];
    refuse(`the diff of ${worker} does not show line ${line} of ${path}; the nearest is line ${closest}`, `${path}:${closest}`);
  }
}

/** The line that a remark is about, as the diff shows it. */
export function lineAt({ sections }: Change, at: string): string | undefined {
  const { path, line } = parsePlace(at);
  return sections
    .filter(({ file }) => file?.path === path)
    .flatMap(({ text }) => linesAfter(text))
    .find(({ number }) => number === line)?.text;
}

function parsePlace(at: string): { readonly path: string; readonly line: number } {
  const [, path = at, line = ''] = /^(.*):(\d+)$/s.exec(at) ?? [];
  return { path, line: Number(line) };
}

/** A file with the same name in another folder, else the most similar path. */
function nearestPath(path: string, paths: readonly string[]): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    paths.find((each) => each === name || each.endsWith(`/${name}`)) ?? nearest(path, paths) ?? (paths.length === 1 ? paths[0] : undefined)
  );
}
