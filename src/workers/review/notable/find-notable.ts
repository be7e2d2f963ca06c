import { posix } from 'node:path';
import { toSkeleton } from '../../../base/look-alike.ts';
import type { ChangedFile } from '../../../git/changed-files.ts';
import type { Change } from '../../../git/diff.ts';
import { type ObjectView, openObjectView } from '../../../git/object-view.ts';
import { addedLines } from '../../../git/patch-sections.ts';
import { readContents } from '../../../git/rebase/read-blobs.ts';
import { type Git, splitZ } from '../../../git/run.ts';
import { compareManifests, isManifest } from './manifests.ts';
import { comparePackages } from './package-json.ts';
import { findNotableRule, NOTABLE_RULES, type NotableAbout, type NotableRuleName, RULE_NAMES } from './rules.ts';
import { runsFile, runsScript, type UserLine } from './user-lines.ts';

/** A changed file that acts by itself. */
export interface Notable {
  readonly file: string;
  readonly about: NotableAbout;
  readonly rule: NotableRuleName;
  /** What in it acts, or what leads to it: `scripts.postinstall`, `[repo] validate`. */
  readonly found: readonly string[];
  readonly is: 'added' | 'changed' | 'deleted';
}

/** A new name that can be mistaken for another one of the same folder. */
export interface Twin {
  readonly file: string;
  readonly resembles: string;
}

export interface FoundNotable {
  readonly notable: readonly Notable[];
  readonly twins: readonly Twin[];
}

const [LINK, ABSENT, SUBMODULE] = ['120000', '000000', '160000'];
const MOST_READ = 500;

/** Finds the files of a change that act by themselves, by what they mean on both sides and not by the lines of the diff. */
export async function findNotable(
  git: Git,
  root: string,
  {
    base,
    head,
    change,
    lines,
  }: { readonly base: string; readonly head: string; readonly change: Change; readonly lines: readonly UserLine[] },
): Promise<FoundNotable> {
  await using view = await openObjectView(root, base);
  const tree = await listed(git, view, head, change.files);
  const links = tree.filter(({ mode }) => mode === LINK).slice(0, MOST_READ);
  const isPackage = (path: string) => /(?:^|\/)package\.json$/iu.test(path);
  const isParsed = (path: string) => isPackage(path) || isManifest(path);
  const parsed = change.files.filter(({ path }) => isParsed(path));
  const above = new Set(
    change.files.flatMap(({ path }) => foldersAbove(path).map((folder) => posix.join(folder, 'package.json').toLowerCase())),
  );
  const packages = tree.filter(({ path, mode }) => mode !== LINK && above.has(path.toLowerCase())).slice(0, MOST_READ);
  const ids = [...links, ...packages].map(({ id }) => id);
  const texts = await read(git, view, [...ids, ...parsed.flatMap(({ hashes }) => [hashes.before, hashes.after])]);

  const isUsed = (script: string) => lines.some((line) => runsScript(line, script));
  const scripts = packages.flatMap(({ path, id }) =>
    comparePackages(undefined, texts.get(id), isUsed).commands.map((command) => ({ from: path, command, folder: toFolder(path) })),
  );
  const aliases = links.flatMap(({ path, id }) => listAliases(path, texts.get(id) ?? ''));
  const repositories = embeddedRepositories(tree);
  const sections = Map.groupBy(change.sections, ({ file }) => file);
  const about = (file: ChangedFile) => {
    const { path, modes, hashes } = file;
    const names = [path, ...(file.from === undefined ? [] : [file.from])];
    const reached = names.flatMap((name) => [{ name, by: undefined }, ...aliases.flatMap((alias) => alias(name))]);
    const found: (readonly [NotableRuleName, string | undefined])[] = [];
    for (const { name, by } of reached) {
      const rule = findNotableRule(name);
      if (rule !== undefined) found.push([rule, by ?? (name === path ? undefined : `it was ${name}`)]);
      for (const line of lines) if (runsFile(line, name)) found.push(['line', line.from]);
      for (const line of scripts) if (runsFile(line, name)) found.push(['package', `named in ${line.from}`]);
    }
    if (repositories.some((folder) => folder === '.' || path.startsWith(`${folder}/`))) found.push(['repository', undefined]);
    if (modes.after !== ABSENT && modes.after !== SUBMODULE && isParsed(path)) {
      const [before, after] = [modes.before === ABSENT ? '' : texts.get(hashes.before), texts.get(hashes.after)];
      const rule = isPackage(path) ? 'package' : 'install';
      if (modes.after === LINK || after === undefined) found.push([rule, 'llmc cannot read it']);
      else {
        if (isPackage(path)) for (const what of comparePackages(before || undefined, after, isUsed).found) found.push(['package', what]);
        for (const { rule: its, found: what } of compareManifests(path, before, after)) for (const each of what) found.push([its, each]);
      }
    }
    const own = sections.get(file) ?? [];
    if (own.some(({ text }) => MODELINE.test(text) && addedLines(text).some((line) => MODELINE.test(line.text))))
      found.push(['editor', 'a modeline']);
    return byRule(file, found);
  };
  const order = ({ rule }: Notable) => RULE_NAMES.indexOf(rule);
  return {
    notable: change.files.flatMap(about).toSorted((one, other) => order(one) - order(other)),
    twins: twinsIn(tree, change.files),
  };
}

/** Options of Vim that hold an expression, and variables of Emacs that are evaluated. */
const MODELINE =
  /\b(?:vim?|ex):.*\b(?:fde|foldexpr|fdt|foldtext|fex|formatexpr|inde|indentexpr|inex|includeexpr|pex|printexpr|bexpr|ballooneval|stl|tal|gfn)=|-\*-.*\beval:.*-\*-|^\W*eval: *\(/m;

function byRule({ path, modes }: ChangedFile, found: readonly (readonly [NotableRuleName, string | undefined])[]): readonly Notable[] {
  const is = modes.after === ABSENT ? 'deleted' : modes.before === ABSENT ? 'added' : 'changed';
  return [...Map.groupBy(found, ([rule]) => rule)].map(([rule, those]) => ({
    file: path,
    about: NOTABLE_RULES[rule].about,
    rule,
    found: [...new Set(those.flatMap(([, what]) => what ?? []))].slice(0, 20),
    is,
  }));
}

interface Entry {
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** Every file of a commit. A tree whose names take more than 64 MB is known by its changed files alone. */
async function listed(git: Git, view: ObjectView, commit: string, changed: readonly ChangedFile[]): Promise<readonly Entry[]> {
  const call = view.call('ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit);
  try {
    return splitZ(await git.ok(call)).map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
      return { mode, id, path: line.slice(tab + 1) };
    });
  } catch {
    const there = changed.filter(({ modes }) => modes.after !== ABSENT);
    return there.map(({ path, modes, hashes }) => ({ path, mode: modes.after, id: hashes.after }));
  }
}

async function read(git: Git, view: ObjectView, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const blobs = await readContents(git, view, new Set(ids.filter((id) => !/^0+$/.test(id))));
  return new Map([...blobs].flatMap(([id, content]) => (content.kind === 'lines' ? [[id, content.lines.join('\n')]] : [])));
}

const toFolder = (path: string): string => (posix.dirname(path) === '.' ? '' : posix.dirname(path));

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/')).concat('');
}

type Alias = (path: string) => readonly { readonly name: string; readonly by: string }[];

/** A link gives what it points to another name: with CLAUDE.md → docs/rules.md, a change of docs/rules.md changes CLAUDE.md. */
function listAliases(link: string, target: string): readonly Alias[] {
  const at = posix.join(posix.dirname(link), target).replace(/\/$/, '');
  if (target === '' || posix.isAbsolute(target) || at.startsWith('..')) return [];
  return [
    (path) =>
      path === at || path.startsWith(`${at}/`) ? [{ name: `${link}${path.slice(at.length)}`, by: `${link} is a link to it` }] : [],
  ];
}

/** Folders that git takes for a repository: with HEAD, `objects` and `refs`, or with HEAD and a `commondir` that names another place. */
function embeddedRepositories(tree: readonly Entry[]): readonly string[] {
  const heads = tree.filter(({ path }) => /(?:^|\/)HEAD$/i.test(path)).map(({ path }) => posix.dirname(path));
  if (heads.length === 0) return [];
  const names = new Set(tree.flatMap(({ path }) => [path.toLowerCase(), ...foldersAbove(path.toLowerCase())]));
  return heads.filter((folder) => {
    const has = (name: string) => names.has(posix.join(folder.toLowerCase(), name));
    return (has('objects') && has('refs')) || has('commondir');
  });
}

/** New names that look like another name of their folder, or are the same name on a disk that ignores case. */
function twinsIn(tree: readonly Entry[], changed: readonly ChangedFile[]): readonly Twin[] {
  const added = changed.filter(({ modes, status }) => modes.before === ABSENT || status === 'R' || status === 'C').map(({ path }) => path);
  if (added.length === 0 || added.length > 5_000) return [];
  const wanted = new Set(added.flatMap((path) => [...foldersAbove(path)]));
  const inFolder = new Map<string, Map<string, string[]>>();
  const seen = new Set<string>();
  for (const { path } of tree)
    for (const whole of [path, ...foldersAbove(path)]) {
      const folder = toFolder(whole);
      if (whole === '' || !wanted.has(folder) || seen.has(whole)) continue;
      seen.add(whole);
      const names = inFolder.get(folder) ?? new Map<string, string[]>();
      const looks = toSkeleton(posix.basename(whole).toLowerCase());
      names.set(looks, [...(names.get(looks) ?? []), whole]);
      inFolder.set(folder, names);
    }
  return added.flatMap((path) => {
    for (const whole of [path, ...foldersAbove(path)]) {
      const alike = inFolder.get(toFolder(whole))?.get(toSkeleton(posix.basename(whole).toLowerCase()));
      const resembles = whole === '' ? undefined : alike?.find((other) => other !== whole);
      if (resembles !== undefined) return [{ file: path, resembles }];
    }
    return [];
  });
}
