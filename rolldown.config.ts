import { rmSync } from 'node:fs';
import { defineConfig } from 'rolldown';

rmSync('dist', { recursive: true, force: true });

export default defineConfig({
  input: { llmc: 'src/cli/main.ts', 'demo-agent': 'src/agents/demo/tui/main.ts' },
  platform: 'node',
  output: {
    dir: 'dist',
    format: 'esm',
    // Commands are imported on demand: each becomes a chunk, so that `llmc status` does not pay for the others.
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: 'dce-only',
  },
});
