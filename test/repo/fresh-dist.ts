import { globSync, statSync } from 'node:fs';

/** Tests outside `src` drive the bundle, so an old bundle would test yesterday's code. */
export default function setup(): void {
  const built = builtAt('dist/llmc.js');
  if (built === undefined) throw new Error('dist/llmc.js is missing: run npm run build first');
  const newer = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] }).filter((file) => statSync(file).mtimeMs > built);
  if (newer.length === 0) return;
  const complaint = `dist is older than ${newer[0]}${newer.length > 1 ? ` and ${newer.length - 1} more` : ''}: run npm run build`;
  if (process.env.CI) throw new Error(complaint);
  console.warn(`WARNING: ${complaint}, or these tests run the old code`);
}

function builtAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
