import type { BuildOptions } from 'rolldown';

/** What every command and `llmc status` loads, as regular expressions of paths. */
export const COMMON = [
  'src/base/',
  'src/cli/(shell\\.|hint-with-root|interruption|bell|global-options|short-options|with-quotes|input/(prompt-text|task-text)|owner/(owner|read-status|status-from-disk)|review/show-review|text/(status-text|sent-text|next-commands)|verb\\.|verbs/)',
  'src/config/(read-config-leniently|default-model)',
  'src/store/(layout|statuses|read-state-leniently|tables/delivery-summary|database|migrations|find-worker)',
  'src/workers/(prompt/delivery-reason-text|status/(attention-text|transitions))',
  'src/supervisor/(api/(client|meet-version|wire|unshown-error)|ownership/require-root|report/(status-report|notified))',
  'src/agents/versions',
  'src/recovery/decide-stall',
  'src/system/(files/(files|text-file)|lines|home|processes/(lineage|meet-challenge))',
  'src/terminal/session-above',
  'node_modules/(picocolors|smol-toml|commander|get-east-asian-width)/',
];
const isCommon = new RegExp(COMMON.join('|'));
/** The table of look-alikes: only commands that show the work of agents load it. */
const isRare = /src\/base\/(?:look-alike|confusables)\.ts/;

export default {
  input: { llmc: 'src/cli/main.ts', 'demo-agent': 'src/agents/demo/tui/main.ts', 'agent-network': 'src/system/agent-network/main.ts' },
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
    codeSplitting: { groups: [{ name: 'common', test: (module) => isCommon.test(module) && !isRare.test(module) }] },
  },
} satisfies BuildOptions;
