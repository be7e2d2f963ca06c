/** A figure that is comparable between machines: our time and a yardstick, measured alternately in the same run. */
export interface Comparison {
  readonly name: string;
  /** In milliseconds, unless `show` says otherwise. */
  readonly ours: number;
  readonly yardstick: string;
  readonly theirs: number;
  /** The largest acceptable ratio. */
  readonly aim: number;
  /** How it was measured. */
  readonly note: string;
  readonly show?: (value: number) => string;
}

export interface Contest {
  readonly name: string;
  readonly yardstick: string;
  readonly aim: number;
  readonly rounds: number;
  /** Rounds that run but do not count: file and compile caches are warm on any machine that uses the program. */
  readonly warmUps: number;
  /** Both return the measured milliseconds, so that preparation does not count. */
  ours(): Promise<number> | number;
  measureYardstick(): Promise<number> | number;
}

export async function compare(contest: Contest): Promise<Comparison> {
  const { name, yardstick, aim, rounds } = contest;
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = -contest.warmUps; round < rounds; round += 1) {
    const pair = [await contest.ours(), await contest.measureYardstick()] as const;
    if (round < 0) continue;
    ours.push(pair[0]);
    theirs.push(pair[1]);
  }
  return { name, ours: median(ours), yardstick, theirs: median(theirs), aim, note: `median of ${rounds}` };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function timed(action: () => void): number {
  const startedAt = performance.now();
  action();
  return performance.now() - startedAt;
}

export async function timedAsync(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}
