import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import config from '../rolldown.config.ts';

const DAY_MS = 86_400_000;

// The rolldown command prints a table of every chunk; one line is what a person reads before a demo.
const startedAt = performance.now();
if (process.argv.includes('--clean')) rmSync('dist', { recursive: true, force: true });
const { output } = await build(config);
removeOldChunks(new Set(output.map((file) => file.fileName)));
const bytes = output.reduce((sum, file) => sum + (file.type === 'chunk' ? file.code.length : file.source.length), 0);
console.log(`built dist: ${output.length} files, ${Math.round(bytes / 1_000)} kB, ${Math.round(performance.now() - startedAt)} ms`);

/** Commands that are running load their chunks late, so those of the last builds stay for a while. */
function removeOldChunks(current: ReadonlySet<string>): void {
  for (const name of readdirSync('dist/chunks')) {
    const file = join('dist/chunks', name);
    if (!current.has(`chunks/${name}`) && Date.now() - statSync(file).mtimeMs > DAY_MS) rmSync(file);
  }
}
