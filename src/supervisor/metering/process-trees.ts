import type { ProcessRow } from '../../base/ports.ts';

export interface TreeFigures {
  /** The share of one core since the last sample; null at the first. */
  readonly cpuPercent: number | null;
  /** The sum of resident memory: pages that several processes share count for each. */
  readonly memoryBytes: number;
  /** Processor time of its descendants since the last sample, without the agent itself, which draws a spinner; null at the first. */
  readonly toolsMs: number | null;
}

export interface Sample {
  readonly at: number;
  readonly rows: readonly ProcessRow[];
}

/** The usage of each of these processes with all its descendants. A process that has ended has no usage. */
export function treeFigures(roots: ReadonlyMap<string, number>, now: Sample, before: Sample | undefined): ReadonlyMap<string, TreeFigures> {
  const children = Map.groupBy(now.rows, ({ parent }) => parent);
  const byPid = new Map(now.rows.map((row) => [row.pid, row]));
  const earlier = new Map(before?.rows.map((row) => [identity(row), row.cpuMs]));
  return new Map(
    [...roots].flatMap(([name, pid]) => {
      const root = byPid.get(pid);
      if (root === undefined) return [];
      const tree = descendants(root, children);
      const memoryBytes = tree.reduce((sum, row) => sum + row.memoryBytes, 0);
      // A killed process stays in the table, without memory, until its parent has asked how it ended.
      if (memoryBytes === 0) return [];
      const used = (rows: readonly ProcessRow[]) => rows.reduce((sum, row) => sum + row.cpuMs - (earlier.get(identity(row)) ?? 0), 0);
      const usedMs = used(tree);
      const passedMs = now.at - (before?.at ?? now.at);
      const cpuPercent = passedMs > 0 ? Math.round((usedMs / passedMs) * 1_000) / 10 : null;
      const toolsMs = before === undefined ? null : used(tree.filter((row) => row !== root));
      return [[name, { cpuPercent, memoryBytes, toolsMs }] as const];
    }),
  );
}

function identity({ pid, started }: ProcessRow): string {
  return `${pid} ${started}`;
}

function descendants(root: ProcessRow, children: ReadonlyMap<number, readonly ProcessRow[]>): readonly ProcessRow[] {
  const tree = new Map([[root.pid, root]]);
  for (const { pid } of tree.values()) for (const child of children.get(pid) ?? []) if (!tree.has(child.pid)) tree.set(child.pid, child);
  return [...tree.values()];
}
