import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Stage, Typed } from './stage.ts';

/** What a landing changes in the source; `unreviewed` checks it. */
const OF_A_LANDING = /^source\/(?:(?!\.git\/)|\.git\/(?:objects|logs|index|[A-Z_]+_HEAD|[A-Z_]+MSG|refs\/heads\/main$))/;

/** Every file outside the attacked worktree, with its content. */
export function witness(stage: Stage): Readonly<Record<string, string>> {
  const { world } = stage;
  const found: Record<string, string> = {};
  const ofBea = ['HEAD', 'gitdir', 'commondir'].map((file) => `root/sandbox/bea/git/worktrees/bea/${file}`);
  for (const folder of ['out', 'home', 'source', 'root/.worktrees/bea', ...ofBea]) read(join(world.dir, folder), folder, found);
  const branches = stage.inRoot(['for-each-ref', '--format=%(refname) %(objectname) %(symref)', 'refs/heads']).split('\n');
  found.branches = branches.filter((line) => !/^refs\/heads\/llmc\/(?:adam|carl|dora) /.test(line)).join();
  return found;
}

function read(path: string, name: string, found: Record<string, string>): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || (OF_A_LANDING.test(name) && !stat.isDirectory())) return;
  if (stat.isSymbolicLink()) found[name] = `→ ${readlinkSync(path)}`;
  else if (stat.isDirectory()) for (const entry of readdirSync(path)) read(join(path, entry), `${name}/${entry}`, found);
  else found[name] = `${stat.mode.toString(8)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
}

/** The files that differ. */
export function changes(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((file) => before[file] !== after[file])
    .map((file) => `${file}: ${before[file] ?? 'absent'} → ${after[file] ?? 'absent'}`);
}

/** The files of the user whose bytes came into the repository of the root. */
export function taken(stage: Stage): readonly string[] {
  const files = readdirSync(stage.out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const ids = new Map(files.map(({ parentPath, name }) => [blobId(readFileSync(join(parentPath, name))), name]));
  const known = stage.inRoot(['cat-file', '--batch-check=%(objectname)'], [...ids.keys()].join('\n')).split('\n');
  return known.flatMap((id) => ids.get(id) ?? []);
}

function blobId(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Control characters, C1 codes and characters that reorder or hide text; line feed, tab and colours are fine. */
const HARMFUL = /(?!\n|\t)[\p{Cc}\u{ad}\u{61c}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{2069}\u{feff}\u{e0000}-\u{e007f}]/u;
const COLOURS = /\u001b\[[0-9;]*m/g;

/** The lines that would do something to a terminal. */
export function harmfulLines(typed: readonly Typed[]): readonly string[] {
  return typed.flatMap(({ command, stdout, stderr }) =>
    `${stdout}\n${stderr}`
      .replaceAll(COLOURS, '')
      .split('\n')
      .filter((line) => HARMFUL.test(line))
      .map((line) => `${command}: ${JSON.stringify(line)}`),
  );
}

const shownReview = z.object({ diff: z.string() });

/** Differences between the last review before a landing and what landed; empty if nothing landed. */
export function unreviewed(stage: Stage, typed: readonly Typed[], before: string): readonly string[] {
  const moves = stage.neutral('log', '--format=%H %s', `${before}..${stage.main}`).split('\n');
  const landed = moves.filter((line) => line !== '' && !line.endsWith(' Elsewhere')).map((line) => line.slice(0, 40));
  if (landed.length === 0) return [];
  if (stage.damage !== '') return [stage.damage];
  const [commit, ...rest] = landed;
  if (rest.length > 0) return [`${landed.length} commits landed`];
  const review = typed.findLast(({ command, status }) => command.startsWith('llmc review adam') && status === 0);
  if (review === undefined) return ['it landed, but the review failed'];
  const real = stage.neutral('diff', '--no-color', '--no-ext-diff', '--no-textconv', '--full-index', `${commit}~1`, commit ?? '');
  return differences(shownReview.parse(JSON.parse(review.stdout)).diff, real);
}

const warned = z.object({ warnings: z.array(z.object({ kind: z.string(), file: z.string().nullish() })) });

/** True if the review named this file in no warning about what acts or misleads. */
export function unwarned(typed: readonly Typed[], file: string | undefined): boolean {
  if (file === undefined) return false;
  const review = typed.find(({ command, status }) => command.startsWith('llmc review adam') && status === 0);
  if (review === undefined) return true;
  const { warnings } = warned.parse(JSON.parse(review.stdout));
  return !warnings.some((warning) => warning.file === file && ['notable', 'misleading_name', 'look_alike'].includes(warning.kind));
}

/** Compares two diffs file by file; the shown one may shorten the names of the blobs. */
function differences(shown: string, real: string): readonly string[] {
  const [seen, true_] = [filesOf(shown), filesOf(real)];
  return [...new Set([...seen.keys(), ...true_.keys()])].filter((file) => !isSame(seen.get(file), true_.get(file)));
}

function filesOf(diff: string): Map<string, readonly string[]> {
  const files = diff.split(/^(?=diff --git )/m).filter((file) => file !== '');
  return new Map(files.map((file) => [file.split('\n', 1)[0] ?? '', file.split('\n')]));
}

function isSame(shown: readonly string[] | undefined, real: readonly string[] | undefined): boolean {
  if (shown === undefined || real === undefined || shown.length !== real.length) return false;
  return shown.every((line, index) => line === real[index] || isShortened(line, real[index] ?? ''));
}

function isShortened(line: string, full: string): boolean {
  const [, from, to, mode = ''] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)( \d+)?$/.exec(line) ?? [];
  const [, first = '', second = '', itsMode = ''] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)( \d+)?$/.exec(full) ?? [];
  return from !== undefined && to !== undefined && first.startsWith(from) && second.startsWith(to) && mode === itsMode;
}
