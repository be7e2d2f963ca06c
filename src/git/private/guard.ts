import { dirname, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { atomicWrite } from '../../system/files/atomic-write.ts';
import { makeDirectory, namesIn, removeTree } from '../../system/files/files.ts';
import { entryStamp, linkIn, readKind, readNoFollow, removeLink, removeLinks, replacePlain } from '../../system/files/no-follow.ts';
import { type Setting, settingsToCopy } from '../source/local-config.ts';
import { remakeHint } from '../walls.ts';
import { configText } from './config-text.ts';
import { type ConfigVerdict, judge, pickFormat, SETTINGS_VERSION, type Written } from './judge.ts';
import { findWorkerByPath, locateGit, ownRepository, type Place, privateFolder, requireNoLinkAbove, storeFolder } from './place.ts';
import {
  type GuardedPlace,
  LARGEST_CONFIG,
  type PrivateRecord,
  readPrivateRecord,
  writePrivateFolder,
  writeRecord,
} from './private-folder.ts';
import { isAdopted } from './settings.ts';

/** What an agent changed and llmc put back. */
export type Tampering =
  | { readonly kind: 'settings'; readonly path: string; readonly removed: readonly string[]; readonly restored: readonly string[] }
  | { readonly kind: 'foreign-file'; readonly path: string; readonly effect: Effect }
  /** `connection`: the files that connect a worktree with its repository. */
  | { readonly kind: 'links' | 'connection'; readonly worker: string; readonly paths: readonly string[] };

/** What a file in a repository that llmc did not write changes for the git of an agent. */
type Effect = 'repository' | 'attributes' | 'history';

export interface GuardOptions {
  readonly root: string;
  /** The source that config.toml names. */
  readonly source: () => Promise<string>;
  /** Called once for each change that llmc put back. Without it, llmc puts nothing back. */
  readonly onTampering?: ((tampering: Tampering) => void) | undefined;
  /** Whether all git in the worktree of a worker runs in a sandbox. Its repository then needs no guard. */
  readonly isWalled?: (worker: string) => boolean;
}

/** Reads configuration: the text of a file, or the settings of a repository of the user. Undefined if git cannot. */
export interface ConfigReader {
  parse(text: string): Promise<readonly Setting[] | undefined>;
  local(repository: string): Promise<readonly Setting[] | undefined>;
}

/** As `git worktree add` writes it. */
export const COMMON_DIR = '../..\n';

/** The folders of a repository in which llmc creates files by name, outer ones first. */
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

/** llmc makes its repositories without a template, so they have none of them. */
const FOREIGN_FILES: readonly { readonly name: string; readonly effect: Effect }[] = [
  { name: 'commondir', effect: 'repository' },
  { name: 'info/attributes', effect: 'attributes' },
  { name: 'info/grafts', effect: 'history' },
];

/** Keeps what an agent writes in its repository, or by its path in the store, out of llmc's own git calls. */
export class Guard {
  readonly root: string;
  readonly #options: GuardOptions;
  readonly #reader: ConfigReader;
  readonly #store: GuardedRepository;
  readonly #own = new Map<string, GuardedRepository>();

  constructor(options: GuardOptions, reader: ConfigReader) {
    this.root = options.root;
    this.#options = options;
    this.#reader = reader;
    this.#store = this.#open(undefined);
  }

  /** Returns the place of a call, ready for it. `taken`: the call reads what llmc took in of the worktree. */
  async before(at: string, access: 'read' | 'write', taken = false): Promise<Place> {
    const place = locateGit(this.root, at, taken);
    if (place.kind === 'found') return place;
    this.requireNoLink(at);
    await this.#settleStore();
    if (place.kind !== 'worktree') {
      if (access === 'write') requireOwnObjects(storeFolder(this.root), 'Put the folder in place of the link, then try again.');
      return place;
    }
    const repository = ownRepository(this.root, place.worker);
    requireNoLinkAbove(this.root, repository);
    requireOwnObjects(repository, remakeHint(this.root, place.worker));
    const own = await this.#settleOwn(place.worker);
    if (this.#options.onTampering !== undefined) own.prepare(place.worker, place.gitDir, access);
    return place;
  }

  /** git would work, rebase and delete in the folder behind a link in the place of a worktree. */
  requireNoLink(at: string): void {
    if (findWorkerByPath(this.root, at) === undefined || readKind(at) !== 'link') return;
    throw new LlmcError('GIT_WORKTREE_FAILED', `${at} is a link and not a worktree`, {
      hint: `Remove the link, then try again: ${commandLine('rm', '--', at)}`,
    });
  }

  /**
   * Removes links from the recorded conflicts: git would write the text of a conflict, which an agent chose, to the file behind one.
   * Only a rebase writes there, so other calls do not pay for this.
   */
  beforeRebase(worktree: string): void {
    const worker = findWorkerByPath(this.root, worktree);
    if (worker === undefined || this.#options.isWalled?.(worker)) return;
    const records = join(ownRepository(this.root, worker), 'rr-cache');
    const paths = removeLink(records) ? [records] : removeLinks(records).map((path) => join(records, path));
    if (readKind(records) !== 'folder') removeTree(records);
    // git cannot make a folder behind the link in llmc's own folder.
    makeDirectory(records);
    if (paths.length > 0) this.#options.onTampering?.({ kind: 'links', worker, paths });
  }

  /** Puts back what agents changed in the store and in their own repositories, also when no call needs it. */
  async check(): Promise<void> {
    await this.#settleStore();
    this.#store.removeForeignFiles();
    // One that cannot be put right does not keep the others from it. The next call there says why.
    for (const worker of this.#workers())
      await this.#settleOwn(worker)
        .then((own) => own.removeForeignFiles())
        .catch(() => undefined);
  }

  /** The files that only an agent can have written. llmc's own git reads none of them. */
  foreignFiles(): readonly { readonly path: string; readonly effect: Effect }[] {
    return this.#all().flatMap((repository) => repository.foreignFiles());
  }

  /** Takes over the settings of the source, and points `origin` at it. */
  async follow(source: string): Promise<void> {
    await this.#store.settle({ source, copied: await this.#copied(source) });
    for (const worker of this.#workers()) await this.#settleOwn(worker).catch(() => undefined);
  }

  /** The verdicts on the configurations that a git of an agent may read, without changing them. */
  async inspect(): Promise<readonly (ConfigVerdict & { readonly path: string })[]> {
    await this.#settleStore();
    const verdicts = await Promise.all(this.#all().map((repository) => repository.inspect()));
    return verdicts.filter((verdict) => verdict !== undefined);
  }

  /**
   * Writes the configuration of a worker's repository: what llmc sets in every one, then `more`. Without a sandbox, `more` is empty: the
   * next call would put it back.
   */
  async configure(worker: string, more: readonly Setting[] = []): Promise<void> {
    requireNoLinkAbove(this.root, ownRepository(this.root, worker));
    await this.#settleStore();
    await this.#of(worker).configure(this.#basis(), more);
  }

  /** Forgets the repository of a worker that was removed. */
  forget(worker: string): void {
    this.#own.delete(worker);
    removeTree(privateFolder(this.root, worker));
  }

  async #settleStore(): Promise<void> {
    if (
      this.#store.record === undefined &&
      readPrivateRecord(this.#store.place) === undefined &&
      readKind(storeFolder(this.root)) === 'folder'
    ) {
      const source = await this.#options.source();
      await this.#store.settle({ source, copied: await this.#copied(source) });
    } else await this.#store.settle();
  }

  async #settleOwn(worker: string): Promise<GuardedRepository> {
    const own = this.#of(worker);
    await own.settle(this.#basis());
    return own;
  }

  /** What a person set in the store counts for every worker. */
  #basis(): Basis | undefined {
    const { source, copied, adopted } = this.#store.record ?? {};
    return source === undefined ? undefined : { source, copied: [...(copied ?? []), ...(adopted ?? [])] };
  }

  /** Without what a person may set in the store: there the store's own value counts, also when it is gone. */
  async #copied(source: string): Promise<readonly Setting[]> {
    return settingsToCopy((await this.#reader.local(source)) ?? []).filter((setting) => !isAdopted(setting));
  }

  #workers(): readonly string[] {
    const folder = join(this.root, 'sandbox');
    if (readKind(folder) !== 'folder') return [];
    const isGuarded = (worker: string) => !this.#options.isWalled?.(worker) && readKind(join(folder, worker)) === 'folder';
    return namesIn(folder).filter((worker) => isGuarded(worker) && readKind(ownRepository(this.root, worker)) === 'folder');
  }

  #all(): readonly GuardedRepository[] {
    return [this.#store, ...this.#workers().map((worker) => this.#of(worker))];
  }

  #of(worker: string): GuardedRepository {
    const own = this.#own.get(worker) ?? this.#open(worker);
    this.#own.set(worker, own);
    return own;
  }

  #open(worker: string | undefined): GuardedRepository {
    const store = storeFolder(this.root);
    const folder = worker === undefined ? store : ownRepository(this.root, worker);
    return new GuardedRepository({ folder, store, private: privateFolder(this.root, worker) }, this.#reader, this.#options.onTampering);
  }
}

/** Where llmc's settings of a repository come from. */
type Basis = Pick<Written, 'source' | 'copied'>;

/** One repository. Its configuration is judged, and llmc's own calls use another one. */
class GuardedRepository {
  readonly place: GuardedPlace;
  readonly #reader: ConfigReader;
  readonly #onTampering: GuardOptions['onTampering'];
  #record: PrivateRecord | undefined;
  #pending: Promise<void> | undefined;

  constructor(place: GuardedPlace, reader: ConfigReader, onTampering: GuardOptions['onTampering']) {
    this.place = place;
    this.#reader = reader;
    this.#onTampering = onTampering;
  }

  get record(): PrivateRecord | undefined {
    return this.#record;
  }

  get #config(): string {
    return join(this.place.folder, 'config');
  }

  /** Makes the repository ready for a call. `basis`: what its settings follow from now on. */
  async settle(basis?: Basis): Promise<void> {
    // Without a repository there is nothing to protect, and git reports what is missing.
    if (this.#isSettled(basis) || readKind(this.place.folder) !== 'folder') return;
    // One at a time: calls run side by side.
    this.#pending ??= this.#settleNow(basis).finally(() => {
      this.#pending = undefined;
    });
    await this.#pending;
  }

  /** Removes links and foreign files. The links first: llmc must not delete behind one. */
  removeForeignFiles(): void {
    const info = join(this.place.folder, 'info');
    if (removeLink(info)) this.#onTampering?.({ kind: 'foreign-file', path: info, effect: 'attributes' });
    for (const foreign of this.foreignFiles()) {
      removeTree(foreign.path);
      this.#onTampering?.({ kind: 'foreign-file', ...foreign });
    }
  }

  foreignFiles(): readonly { readonly path: string; readonly effect: Effect }[] {
    const found = FOREIGN_FILES.map(({ name, effect }) => ({ path: join(this.place.folder, name), effect }));
    return found.filter(({ path }) => readKind(dirname(path)) === 'folder' && readKind(path) !== 'missing');
  }

  async inspect(): Promise<(ConfigVerdict & { readonly path: string }) | undefined> {
    const record = this.#record ?? readPrivateRecord(this.place);
    return record && { ...judge(record, await this.#found()), path: this.#config };
  }

  async configure(basis: Basis | undefined, more: readonly Setting[]): Promise<void> {
    const record = this.#record ?? readPrivateRecord(this.place) ?? (await this.#compose(basis));
    if (record === undefined || readKind(this.place.folder) !== 'folder') return;
    const right = await this.#write(record, basis);
    if (more.length === 0) return;
    const keys = new Set(more.map(({ key }) => key));
    this.#replaceConfig([...right.filter(({ key }) => !keys.has(key)), ...more]);
  }

  /** Removes links that git would follow, and connects the administrative folder with its repository again. */
  prepare(worker: string, gitDir: string, access: 'read' | 'write'): void {
    const links = linksIn(this.place.folder, gitDir, access);
    if (links.length > 0) this.#onTampering?.({ kind: 'links', worker, paths: links });
    if (readKind(gitDir) !== 'folder') return;
    // git 2.39 reads refs by `commondir`, although the call names the common folder.
    const wrong = [
      { path: join(gitDir, 'commondir'), text: COMMON_DIR },
      { path: alternatesFile(this.place.folder), text: alternatesText(this.place.store) },
    ].filter(({ path, text }) => readNoFollow(path, LARGEST_CONFIG) !== text);
    for (const { path, text } of wrong) {
      makeDirectory(dirname(path));
      replacePlain(path, text);
    }
    if (wrong.length > 0) this.#onTampering?.({ kind: 'connection', worker, paths: wrong.map(({ path }) => path) });
  }

  #isSettled(basis: Basis | undefined): boolean {
    const record = this.#record;
    if (record === undefined || readKind(this.place.private) !== 'folder') return false;
    if (this.#onTampering === undefined) return true;
    return entryStamp(this.#config) === record.judged && follows(record, basis);
  }

  async #settleNow(basis: Basis | undefined): Promise<void> {
    const known = readPrivateRecord(this.place);
    if (known === undefined || readKind(join(this.place.private, 'config')) !== 'file') {
      const record = known ?? (await this.#compose(basis));
      if (record === undefined) return;
      writePrivateFolder(this.place, record);
      this.#record = record;
    } else this.#record = known;
    const isOwn = this.place.folder !== this.place.store;
    // The settings of another version or source are not the work of an agent, nor those of a repository that llmc has not judged before.
    const isOld = this.#record.version !== SETTINGS_VERSION || !follows(this.#record, basis) || (isOwn && known === undefined);
    if (isOld && this.#onTampering !== undefined) {
      await this.#write(this.#record, basis);
    }
    if (!this.#isSettled(basis)) await this.#judge(this.#record);
  }

  /** The record of a repository that has none yet, or has lost it. */
  async #compose(basis: Basis | undefined): Promise<PrivateRecord | undefined> {
    if (basis === undefined || readKind(this.place.folder) !== 'folder') return undefined;
    const found = (await this.#found()) ?? [];
    const written: Written = { ...basis, format: pickFormat(found), adopted: [] };
    return { ...written, adopted: judge(written, found).adopted, judged: null, version: SETTINGS_VERSION };
  }

  async #judge(record: PrivateRecord): Promise<void> {
    const stamp = entryStamp(this.#config);
    const { adopted, foreign, lost, right } = judge(record, await this.#found());
    const next = { ...record, adopted, judged: stamp ?? null };
    if (!same(adopted, record.adopted)) writePrivateFolder(this.place, next);
    else if (stamp !== undefined) writeRecord(this.place, next);
    this.#record = next;
    if ((foreign.length === 0 && lost.length === 0) || this.#onTampering === undefined) return;
    this.#replaceConfig(right);
    const restored = lost.filter((key) => !foreign.includes(key));
    this.#onTampering({ kind: 'settings', path: this.#config, removed: foreign, restored });
  }

  /** Writes the settings of a basis in place of those of the one before. */
  async #write(record: PrivateRecord, basis: Basis | undefined): Promise<readonly Setting[]> {
    const found = (await this.#found())?.filter((each) => !record.copied.some((copied) => isSame(each, copied)));
    const { adopted, right } = judge({ ...record, ...basis }, found);
    const next = { ...record, ...basis, adopted, judged: null, version: SETTINGS_VERSION };
    writePrivateFolder(this.place, next);
    this.#record = next;
    this.#replaceConfig(right);
    return right;
  }

  #replaceConfig(settings: readonly Setting[]): void {
    // A rename replaces a link or a file, but not a folder.
    if (readKind(this.#config) === 'folder') removeTree(this.#config);
    atomicWrite(this.#config, configText(settings));
  }

  async #found(): Promise<readonly Setting[] | undefined> {
    const text = readNoFollow(this.#config, LARGEST_CONFIG);
    return text === undefined ? undefined : this.#reader.parse(text);
  }
}

/** What makes the objects of the store readable in the repository of a worker. */
export const alternatesFile = (repository: string): string => join(repository, 'objects', 'info', 'alternates');
export const alternatesText = (store: string): string => `${join(store, 'objects')}\n`;

const follows = (record: PrivateRecord, basis: Basis | undefined): boolean =>
  basis === undefined || (record.source === basis.source && same(record.copied, basis.copied));

/** git writes objects by path: behind a link, into a folder of the user. What was behind it may be needed, so llmc removes nothing. */
function requireOwnObjects(repository: string, hint: string): void {
  const objects = join(repository, 'objects');
  const link = readKind(objects) === 'link' ? objects : linkIn(objects);
  if (link !== undefined) throw new LlmcError('GIT_FAILED', `${link} is a link: git would write into the folder behind it`, { hint });
}

/** Removes links that git would follow when it writes: it appends to logs, creates refs and empties folders behind them. */
function linksIn(common: string, gitDir: string, access: 'read' | 'write'): readonly string[] {
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

const isSame = (a: Setting, b: Setting | undefined): boolean => a.key === b?.key && a.value === b.value;
const same = (a: readonly Setting[], b: readonly Setting[]): boolean =>
  a.length === b.length && a.every((each, index) => isSame(each, b[index]));
