import { z } from 'zod';

const place = z.object({ line: z.number(), column: z.number() });
const mutant = z.object({
  mutatorName: z.string(),
  status: z.string(),
  replacement: z.string().default(''),
  location: z.object({ start: place, end: place }),
});
const report = z.object({ files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(mutant) })) });

/** How many mutants the tests noticed, and those they did not, as `file:line:column` with the change. */
export function readMutationReport(json: string): {
  readonly noticed: number;
  readonly all: number;
  readonly survivors: readonly string[];
} {
  const { files } = report.parse(JSON.parse(json));
  const counted = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.filter(({ status }) => status !== 'Ignored').map((each) => ({ ...each, file, source })),
  );
  const survivors = counted
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .toSorted((a, b) => a.file.localeCompare(b.file) || a.location.start.line - b.location.start.line);
  return { noticed: counted.length - survivors.length, all: counted.length, survivors: survivors.map(lineOf) };
}

function lineOf({ file, source, location, mutatorName, replacement }: z.output<typeof mutant> & { file: string; source: string }): string {
  const { start, end } = location;
  const line = source.split('\n')[start.line - 1] ?? '';
  const before = line.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined);
  return `${file}:${start.line}:${start.column} ${mutatorName}: ${before} → ${replacement.replace(/\s+/g, ' ')}`;
}
