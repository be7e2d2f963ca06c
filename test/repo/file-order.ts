import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * By itself vitest runs one project after the other: every slot waits for screens at one time and computes at another, and the real
 * agents run four at once at the end. This order takes files from all folders in turn, so that all kinds are under way until the end.
 */
export default class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Files that share a process must follow each other: vitest 5.1 ends the process when the next file needs one of its own.
    const shared = sorted.filter(({ project }) => !project.config.isolate);
    const isolated = sorted.filter(({ project }) => project.config.isolate);
    const kindOf = ({ moduleId }: TestSpecification) => folderOf(this.#pathOf(moduleId));
    const [early = [], others = []] = [true, false].map((wanted) =>
      isolated.filter(({ moduleId }) => isLongForItsSize(this.#pathOf(moduleId)) === wanted),
    );
    return [...shared, ...spread(early, kindOf), ...spread(others, kindOf)];
  }

  #pathOf(moduleId: string): string {
    return relative(this.ctx.config.root, moduleId);
  }
}

/**
 * Without the times of an earlier run vitest begins with the largest files. The rows or the programs of these are elsewhere, so they came
 * last: two of the last five files of a run took 68 and 104 s.
 */
const LONG_FOR_THEIR_SIZE = [
  ...['clone', 'files', 'git', 'live', 'texts', 'trees'].map((name) => `test/hostile/${name}.test.ts`),
  'test/live/followed-hints.test.ts',
  'test/live/more-time.test.ts',
  'test/sim/pipelines.test.ts',
  'test/repo/tree.test.ts',
];

export const isLongForItsSize = (path: string): boolean => LONG_FOR_THEIR_SIZE.includes(path);

/** `src`, `test/live`, `test/crash`, … */
const folderOf = (path: string): string => /^(?:src|test\/[^/]+)/.exec(path)?.[0] ?? path;

/** The same items: those of one kind keep their order, and each kind is spread evenly over the whole. */
export function spread<Item>(items: readonly Item[], kindOf: (item: Item) => string): Item[] {
  return [...Map.groupBy(items, kindOf).values()]
    .flatMap((same) => same.map((item, index) => ({ item, place: (index + 0.5) / same.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
