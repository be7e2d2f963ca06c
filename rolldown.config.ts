import type { BuildOptions } from 'rolldown';

export default {
  input: { llmc: 'src/cli/main.ts', 'demo-agent': 'src/agents/demo/tui/main.ts' },
  platform: 'node',
  // An import left outside would fail only later, in the package, on a machine without node_modules.
  onLog(level, log, print) {
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    if (level === 'warn') print(level, log);
  },
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    // Commands are imported on demand and each becomes a chunk, so that `llmc status` does not load the others.
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: 'dce-only',
  },
} satisfies BuildOptions;
