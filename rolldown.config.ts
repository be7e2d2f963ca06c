import type { BuildOptions } from 'rolldown';

const COMMON = [
  'src/base/',
  'src/cli/(owner|read-status|status-text|status-from-disk)',
  'src/config/(glance|default-model)',
  'src/store/(layout|sockets|statuses|peek-state|delivery-glance|database|migrations|find-worker)',
  'src/supervisor/(api-client|wire|require-root|status-report)',
  'src/system/(files|lines|home|text-file)',
  'node_modules/(picocolors|smol-toml|commander)/',
];
const isCommon = new RegExp(COMMON.join('|'));

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
    // Each file costs about a millisecond to find and open: what every command and `llmc status` needs lies in one.
    codeSplitting: { groups: [{ name: 'common', test: isCommon }] },
  },
} satisfies BuildOptions;
