import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchange } from '../../src/git/exchange/exchange.ts';
import { administrativeFolder, ownRepository } from '../../src/git/private/place.ts';
import { openGit } from '../../src/git/run.ts';
import { makeLayout } from '../../src/store/layout.ts';
import { Store } from '../../src/store/store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';
import { withEnvironment } from '../support/scratch-repo.ts';
import { llmcWorld, type Ran, type World } from '../support/world.ts';
import { type Attack, type Step, slugOf } from './attack.ts';
import { performHere } from './use-cases.ts';

/** What a user typed, and the answer. */
export interface Typed extends Ran {
  readonly command: string;
}

/** What is put back between two attacks. */
const PARTS = ['root', 'source', 'home', 'out'];

/**
 * A root without a supervisor, for one attack after the other: adam has work to review, bea has work of its own, carl is
 * idle, and `out` stands for the files of the user outside. Every attack begins with the same bytes.
 */
export class Stage implements AsyncDisposable {
  readonly world: World;
  readonly out: string;
  readonly #canaries: string;
  readonly #traps: string;
  readonly #template: string;
  readonly #scratch: string;

  private constructor(world: World) {
    this.world = world;
    this.out = join(world.dir, 'out');
    [this.#canaries, this.#traps, this.#template] = [join(world.dir, 'canaries'), join(world.dir, 'traps'), join(world.dir, 'template')];
    this.#scratch = join(world.dir, 'scratch');
    for (const folder of [this.out, this.#traps, this.#template]) mkdirSync(folder);
  }

  static async make(): Promise<Stage> {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
    const files = { 'README.md': 'hello\n', 'src/app.txt': `${lines}\n`, 'notes.txt': 'notes\n', 'run.sh': '#!/bin/sh\n' };
    const world = await llmcWorld({ stage: 'root', workers: ['adam', 'bea', 'carl'], source: { files } });
    const stage = new Stage(world);
    try {
      mkdirSync(join(stage.out, 'folder'));
      for (const file of ['precious.txt', 'folder/deep.txt']) writeFileSync(join(stage.out, file), `${file} of the user\n`);
      stage.agent('echo feature > feature.txt; git add --all; git commit --quiet -m "Add a feature"');
      stage.agent('echo bea > bea.txt; git add --all; git commit --quiet -m "Work of bea"; echo draft > draft.txt', { worker: 'bea' });
      await takeIn(world, 'adam', 'bea');
      await awaitReview(world, 'adam');
      for (const part of PARTS) copy(join(world.dir, part), stage.#template);
      return stage;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Puts every byte back to the beginning. */
  reset(): void {
    for (const part of PARTS) {
      rmSync(join(this.world.dir, part), { recursive: true, force: true });
      copy(join(this.#template, part), this.world.dir);
    }
    for (const folder of [this.#canaries, this.#scratch]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
    }
  }

  /** Runs a script as the agent would, in its worktree. */
  agent(script: string, { worker = 'adam', trap = 'none' } = {}): void {
    const { root, source, home } = this.world;
    const env = {
      ...this.world.env,
      // A trap that the agent springs itself proves nothing.
      HOSTILE_AGENT: '1',
      HOME: home,
      ROOT: root,
      STORE: join(root, '.git'),
      GITDIR: ownRepository(root, worker),
      ADMIN: administrativeFolder(root, worker),
      SOURCE: source,
      OUT: this.out,
      BEA: this.world.worktree('bea'),
      SCRATCH: this.#scratch,
      NAME: trap,
      // The first only leaves a trace, the second also copies its input: as filters do.
      TRAP: join(this.#traps, trap),
      TRAPCAT: join(this.#traps, `${trap}.cat`),
    };
    execFileSync('sh', ['-eu', '-c', script], { cwd: this.world.worktree(worker), env, stdio: ['ignore', 'ignore', 'pipe'] });
  }

  /** Makes a commit from a stream, in the repository of adam. */
  importCommit(stream: Buffer): void {
    const args = [`--git-dir=${ownRepository(this.world.root, 'adam')}`, 'fast-import', '--quiet', '--force'];
    execFileSync('git', args, { env: this.world.env, input: stream, stdio: ['pipe', 'ignore', 'pipe'] });
  }

  setUp(attack: Attack): void {
    const trap = slugOf(attack);
    const springs = `[ -n "$HOSTILE_AGENT" ] || : > ${join(this.#canaries, trap)}`;
    writeFileSync(join(this.#traps, trap), `#!/bin/sh\n${springs}\nexit 0\n`, { mode: 0o755 });
    writeFileSync(join(this.#traps, `${trap}.cat`), `#!/bin/sh\n${springs}\nexec cat "$@"\n`, { mode: 0o755 });
    this.agent(attack.agent, { trap });
  }

  /** Performs the steps and returns what the user saw. `bundle`: each command is a process of the whole program. */
  async perform(steps: readonly Step[], { bundle = false } = {}): Promise<readonly Typed[]> {
    const typed: Typed[] = [];
    for (const step of steps) {
      if ('agent' in step) this.agent(step.agent);
      // A user accepts what a review has shown.
      else if (!step.user.startsWith('llmc accept') || typed.findLast(isReview)?.status !== 2)
        typed.push(await this.#type(step.user, bundle));
    }
    return typed;
  }

  async #type(command: string, bundle: boolean): Promise<Typed> {
    const [program, ...args] = command.split(' ');
    const here = program === 'git' || bundle ? undefined : await performHere(this.world, args);
    if (program !== 'git') return { command, ...(here ?? (await this.world.run(args))) };
    return { command, status: 0, stdout: await this.world.git(...args), stderr: '' };
  }

  /** The attacks whose trap ran in the hands of the user. */
  get sprung(): readonly string[] {
    return readdirSync(this.#canaries);
  }

  /** git without the settings, attributes and replacements of any repository: what the objects of the source really are. */
  neutral(...args: readonly string[]): string {
    const bare = join(this.world.dir, 'neutral');
    const git = (...words: readonly string[]) =>
      execFileSync('git', [...words], { env: { ...this.world.env, GIT_NO_REPLACE_OBJECTS: '1' }, encoding: 'utf8', cwd: this.world.dir });
    git('init', '--quiet', '--bare', bare);
    writeFileSync(join(bare, 'objects', 'info', 'alternates'), `${join(this.world.source, '.git', 'objects')}\n`);
    return git(`--git-dir=${bare}`, ...args);
  }

  /** Reads llmc's store without springing a trap. */
  inRoot(args: readonly string[], input = ''): string {
    const env = { ...this.world.env, HOSTILE_AGENT: '1', GIT_NO_REPLACE_OBJECTS: '1' };
    return execFileSync('git', [`--git-dir=${join(this.world.root, '.git')}`, ...args], {
      env,
      input,
      maxBuffer: 64 << 20,
      encoding: 'utf8',
      cwd: this.world.dir,
    });
  }

  /** What git says of the objects that main reaches; empty if they are sound. */
  get damage(): string {
    const args = [`--git-dir=${join(this.world.source, '.git')}`, 'fsck', '--strict', '--no-progress', '--no-dangling', this.main];
    const { status, stderr } = spawnSync('git', args, { env: this.world.env, encoding: 'utf8', cwd: this.world.dir });
    return status === 0 ? '' : stderr.trim();
  }

  get main(): string {
    return readFileSync(join(this.world.source, '.git/refs/heads/main'), 'utf8').trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

const isReview = ({ command }: Typed): boolean => command.startsWith('llmc review');

function copy(from: string, into: string): void {
  execFileSync('cp', ['-a', from, into]);
}

/** Records that the work of a worker waits for a review, as the supervisor does at the end of a turn. */
/** As at the end of a turn. */
async function takeIn(world: World, ...workers: readonly string[]): Promise<void> {
  const processes = withEnvironment(systemProcesses, world.env);
  const git = openGit(processes, { guard: { root: world.root, source: async () => world.source, onTampering: () => undefined } });
  for (const worker of workers) await exchange(git, world.root, world.worktree(worker));
}

async function awaitReview(world: World, name: string): Promise<void> {
  const [head, base] = (await world.gitIn(world.worktree(name), 'rev-parse', 'HEAD', 'origin/main')).split('\n');
  using store = new Store(makeLayout(world.root), systemClock);
  store.changeWorker(name, {
    kind: 'status',
    summary: 'has work to review',
    change: (worker) => Object.assign(worker, { status_before_offline: 'needs_review', commit_sha: head, base_commit: base }),
  });
}
