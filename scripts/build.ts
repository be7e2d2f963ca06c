import { build } from 'rolldown';
import config from '../rolldown.config.ts';

// The rolldown command prints a table of every chunk; one line is what a person reads before a demo.
const startedAt = performance.now();
const { output } = await build(config);
const bytes = output.reduce((sum, file) => sum + (file.type === 'chunk' ? file.code.length : file.source.length), 0);
console.log(`built dist: ${output.length} files, ${Math.round(bytes / 1_000)} kB, ${Math.round(performance.now() - startedAt)} ms`);
