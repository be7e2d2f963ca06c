import { basename, dirname, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { atomicWrite } from '../../system/files/atomic-write.ts';
import { makeDirectory, removeTree } from '../../system/files/files.ts';
import { entryStamp, kindOf, linkIn, readNoFollow, removeLink, removeLinks, replacePlain } from '../../system/files/no-follow.ts';
import { type Setting, settingsToCopy } from '../source/local-config.ts';
import { configText } from './config-text.ts';
import { formatOf, judge, SETTINGS_VERSION, type Verdict, type Written } from './judge.ts';
import { type Place, placeOf, privateFolder } from './place.ts';
import { LARGEST_CONFIG, type PrivateRecord, readRecord, writePrivateFolder, writeRecord } from './private-folder.ts';
import { isAdopted } from './settings.ts';

/** What an agent changed and llmc put back. */
export type Tampering =
  | { readonly kind: 'settings'; readonly removed: readonly string[]; readonly restored: readonly string[] }
  | { readonly kind: 'foreign-file'; readonly path: string; readonly effect: Effect }
  /** `connection`: the files that connect a worktree with its repository. */
  | { readonly kind: 'links' | 'connection'; readonly worker: string; readonly paths: readonly string[] };

/** What a file in the clone that llmc did not write changes for the git of the agents. */
type Effect = 'repository' | 'attributes' | 'history';

export interface GuardOptions {
  readonly root: string;
  /** The source that config.toml names. */
  readonly source: () => Promise<string>;
  /** Called once for each change that llmc put back. Without it, llmc puts nothing back. */
  readonly onTampering?: ((tampering: Tampering) => void) | undefined;
}

/** Reads configuration: the text of a file, or the settings of a repository of the user. Undefined if git cannot. */
export interface ConfigReader {
  parse(text: string): Promise<readonly Setting[] | undefined>;
  local(repository: string): Promise<readonly Setting[] | undefined>;
}

/** As `git worktree add` writes it. */
export const COMMON_DIR = '../..\n';

/** The folders of the clone in which llmc creates files by name, outer ones first. */
const WRITTEN_FOLDERS = [
  'logs',
  'refs',
  'refs/heads',
  'refs/heads/llmc',
  'refs/remotes',
  'refs/remotes/origin',
  'refs/llmc',
  'refs/llmc/rescue',
  'refs/llmc/landed',
  'refs/llmc/former-main',
];

/** llmc clones without a template, so a clone has none of them. */
const FOREIGN_FILES: readonly { readonly name: string; readonly effect: Effect }[] = [
  { name: 'commondir', effect: 'repository' },
  { name: 'info/attributes', effect: 'attributes' },
  { name: 'info/grafts', effect: 'history' },
];

/** Keeps what an agent writes in the root's `.git` out of llmc's own git calls. */
export class Guard {
  readonly root: string;
  readonly #options: GuardOptions;
  readonly #reader: ConfigReader;
  #record: PrivateRecord | undefined;
  #pending: Promise<void> | undefined;

  constructor(options: GuardOptions, reader: ConfigReader) {
    this.root = options.root;
    this.#options = options;
    this.#reader = reader;
  }

  get #config(): string {
    return join(this.root, '.git', 'config');
  }

  /** Returns the place of a call, ready for it. */
  async before(at: string, access: 'read' | 'write'): Promise<Place> {
    const place = placeOf(this.root, at);
    if (place.kind === 'found') return place;
    if (!this.#isSettled()) await this.#settle();
    if (access === 'write') requireOwnObjects(this.root);
    if (place.kind === 'worktree' && this.#options.onTampering !== undefined) this.#prepareWorktree(place.gitDir, access);
    return place;
  }

  /**
   * Removes links from the recorded conflicts: git would write the text of a conflict, which an agent chose, to the file behind one.
   * Only a rebase writes there, so other calls do not pay for this.
   */
  beforeRebase(worktree: string): void {
    const records = join(this.root, '.git', 'rr-cache');
    const paths = removeLink(records) ? [records] : removeLinks(records).map((path) => join(records, path));
    // git cannot make a folder behind the link in llmc's own folder.
    makeDirectory(records);
    if (paths.length > 0) this.#options.onTampering?.({ kind: 'links', worker: basename(worktree), paths });
  }

  /** Puts back what agents changed in the clone, also when no call needs it. */
  async check(): Promise<void> {
    if (!this.#isSettled()) await this.#settle();
    const { onTampering } = this.#options;
    const info = join(this.root, '.git', 'info');
    // Before the files in it: llmc must not delete behind a link.
    if (removeLink(info)) onTampering?.({ kind: 'foreign-file', path: info, effect: 'attributes' });
    for (const foreign of this.foreignFiles()) {
      removeTree(foreign.path);
      onTampering?.({ kind: 'foreign-file', ...foreign });
    }
  }

  /** The files in the clone that only an agent can have written. llmc's own git reads none of them. */
  foreignFiles(): readonly { readonly path: string; readonly effect: Effect }[] {
    const found = FOREIGN_FILES.map(({ name, effect }) => ({ path: join(this.root, '.git', name), effect }));
    return found.filter(({ path }) => kindOf(dirname(path)) === 'folder' && kindOf(path) !== 'missing');
  }

  /** Takes over the settings of the source, and points `origin` at it. */
  async follow(source: string): Promise<void> {
    const copied = await this.#copied(source);
    if (!this.#isSettled()) await this.#settle();
    const record = this.#record;
    if (record === undefined || (record.source === source && same(record.copied, copied))) return;
    await this.#write({ ...record, source, copied });
  }

  /** The verdict on the clone's configuration, without changing it. */
  async inspect(): Promise<Verdict | undefined> {
    const record = readRecord(this.root) ?? (await this.#compose());
    return record && judge(record, await this.#found());
  }

  #isSettled(): boolean {
    if (this.#record === undefined || kindOf(privateFolder(this.root)) !== 'folder') return false;
    return this.#options.onTampering === undefined || entryStamp(this.#config) === this.#record.judged;
  }

  /** One at a time: calls run side by side. */
  #settle(): Promise<void> {
    this.#pending ??= this.#settleNow().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #settleNow(): Promise<void> {
    const known = readRecord(this.root);
    if (known === undefined || kindOf(join(privateFolder(this.root), 'config')) !== 'file') {
      const record = known ?? (await this.#compose());
      // Without a clone there is nothing to protect, and git reports what is missing.
      if (record === undefined) return;
      writePrivateFolder(this.root, record);
      this.#record = record;
    } else this.#record = known;
    // The settings of another version are not the work of an agent.
    if (this.#record.version !== SETTINGS_VERSION && this.#options.onTampering !== undefined) await this.#write(this.#record);
    if (!this.#isSettled()) await this.#judge(this.#record);
  }

  /** The record of a clone that has none: a new one, or one of an earlier version. */
  async #compose(): Promise<PrivateRecord | undefined> {
    if (kindOf(join(this.root, '.git')) !== 'folder') return undefined;
    const found = (await this.#found()) ?? [];
    const source = await this.#options.source();
    const written: Written = { source, copied: await this.#copied(source), format: formatOf(found), adopted: [] };
    return { ...written, adopted: judge(written, found).adopted, judged: null, version: SETTINGS_VERSION };
  }

  /** Without what a person may set in the clone: there the clone's own value counts, also when it is gone. */
  async #copied(source: string): Promise<readonly Setting[]> {
    return settingsToCopy((await this.#reader.local(source)) ?? []).filter((setting) => !isAdopted(setting));
  }

  async #judge(record: PrivateRecord): Promise<void> {
    const stamp = entryStamp(this.#config);
    const { adopted, foreign, lost, right } = judge(record, await this.#found());
    const next = { ...record, adopted, judged: stamp ?? null };
    if (!same(adopted, record.adopted)) writePrivateFolder(this.root, next);
    else if (stamp !== undefined) writeRecord(this.root, next);
    this.#record = next;
    if (foreign.length === 0 && lost.length === 0) return;
    this.#replaceConfig(right);
    this.#options.onTampering?.({ kind: 'settings', removed: foreign, restored: lost.filter((key) => !foreign.includes(key)) });
  }

  async #write(record: PrivateRecord): Promise<void> {
    const { adopted, right } = judge(record, await this.#found());
    const next = { ...record, adopted, judged: null, version: SETTINGS_VERSION };
    writePrivateFolder(this.root, next);
    this.#record = next;
    this.#replaceConfig(right);
  }

  #replaceConfig(settings: readonly Setting[]): void {
    // A rename replaces a link or a file, but not a folder.
    if (kindOf(this.#config) === 'folder') removeTree(this.#config);
    atomicWrite(this.#config, configText(settings));
  }

  async #found(): Promise<readonly Setting[] | undefined> {
    const text = readNoFollow(this.#config, LARGEST_CONFIG);
    return text === undefined ? undefined : this.#reader.parse(text);
  }

  #prepareWorktree(gitDir: string, access: 'read' | 'write'): void {
    const worker = basename(gitDir);
    const links = linksIn(this.root, gitDir, access);
    if (links.length > 0) this.#options.onTampering?.({ kind: 'links', worker, paths: links });
    // git 2.39 reads refs by this file, although the call names the common folder.
    const commonDir = join(gitDir, 'commondir');
    if (readNoFollow(commonDir, LARGEST_CONFIG) === COMMON_DIR || kindOf(gitDir) !== 'folder') return;
    replacePlain(commonDir, COMMON_DIR);
    this.#options.onTampering?.({ kind: 'connection', worker, paths: [commonDir] });
  }
}

/** git writes objects by path: behind a link, into a folder of the user. What was behind it may be needed, so llmc removes nothing. */
function requireOwnObjects(root: string): void {
  const objects = join(root, '.git', 'objects');
  const link = kindOf(objects) === 'link' ? objects : linkIn(objects);
  if (link === undefined) return;
  throw new LlmcError('GIT_FAILED', `${link} is a link: git would write into the folder behind it`, {
    hint: 'Put the folder in place of the link, then try again.',
  });
}

/** Removes links that git would follow when it writes: it appends to logs, creates refs and empties folders behind them. */
function linksIn(root: string, gitDir: string, access: 'read' | 'write'): readonly string[] {
  const common = join(root, '.git');
  const folders = [dirname(gitDir), gitDir, ...(access === 'read' ? [] : WRITTEN_FOLDERS.map((folder) => join(common, folder)))];
  const links = folders.filter(removeLink);
  if (access === 'read') return links;
  const logs = join(common, 'logs');
  return [
    ...links,
    ...removeLinks(gitDir, ['modules']).map((path) => join(gitDir, path)),
    ...removeLinks(logs).map((path) => join(logs, path)),
  ];
}

const same = (a: readonly Setting[], b: readonly Setting[]): boolean =>
  a.length === b.length && a.every(({ key, value }, index) => key === b[index]?.key && value === b[index]?.value);
