import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import FileOrder from './test/repo/file-order.ts';
import { programTests } from './test/repo/program-tests.ts';
import { scratchDisk } from './test/repo/scratch-disk.ts';

const full = process.env.LLMC_FULL !== undefined;
const withPrograms = programTests();
const disk = scratchDisk({ full });

/**
 * With the full run only: a limit of Claude Code ends with a whole minute and then some (the one of Codex is in
 * test/codex/errors.test.ts), a typed prompt is killed at each of its points with the demo agent, a declared one and Claude Code already, and the
 * canary of a version that is not recorded is in test/live/canary.test.ts, with a small program in place of Claude Code. Nights in
 * real tmux repeat those of test/sim, Codex is killed in the middle of a prompt as Claude Code and the demo agent are in every run, the
 * repairs of doctor are tables in src/doctor, and the random and the odd histories of test/merge stand beside its tables. Codex reports its errors
 * over the protocol in test/codex/errors.test.ts; its screens of them, for the typing channel, are recorded in test/fixtures/screens/codex.
 * Codex beside Claude Code is in test/codex/swarm.test.ts, what agents may write in their sandboxes in test/claude/results.test.ts, and Codex
 * in a terminal without its protocol in test/codex/typing-asking.test.ts.
 */
const PATIENT = [
  ...['test/claude/limits.test.ts', 'test/claude/canary-unknown.test.ts'],
  ...['test/codex/typing-crash.test.ts', 'test/codex/typing-errors.test.ts', 'test/codex/killed-agent.test.ts'],
  ...['test/codex/typing.test.ts', 'test/codex/results.test.ts', 'test/codex/side-by-side.test.ts'],
  ...['test/live/nights.test.ts', 'test/live/doctor-repair.test.ts', 'test/merge/histories.test.ts', 'test/merge/merges.test.ts'],
];

/** For tests that start programs: what they started ends with them, and a failed one prints what its supervisors recorded. */
const setupFiles = ['./test/repo/end-with-the-run.ts', './test/repo/tell-of-failures.ts'];

const wholeSetup = ['test/repo/fresh-dist.ts', 'test/repo/kept-folders.ts'];

export default defineConfig({
  test: {
    // Real processes, signals and working directories: a thread cannot have its own.
    pool: 'forks',
    // Live tests wait for tmux, git and agents three quarters of their time: six at once fill two cores.
    maxWorkers: 6,
    // Crash tests run several stories at once, each with a supervisor, a tmux and an agent: more of them only wait for each other.
    maxConcurrency: 3,
    env: disk === undefined ? {} : { TMPDIR: disk },
    sequence: { sequencer: FileOrder },
    teardownTimeout: 10_000,
    // The limits below are for what hangs. A machine with ten times the load takes ten times as long, and is right all the same.
    reporters: ['default', './test/repo/closing-line.ts'],
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'], reporter: ['text-summary', 'html'] },
    projects: [
      {
        extends: true,
        // One process for many files: a process per file took 38 s of processor time, this takes 10. They start nothing and share nothing.
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: withPrograms,
          globalSetup: ['test/repo/kept-folders.ts'],
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        // The full run has 16 times as many histories in one test.
        test: {
          name: 'integration',
          include: withPrograms,
          globalSetup: ['test/repo/kept-folders.ts'],
          setupFiles,
          testTimeout: full ? 1_200_000 : 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: ['test/claude/**', 'test/codex/**', 'test/declared/**', ...(full ? [] : PATIENT)],
          globalSetup: wholeSetup,
          setupFiles,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'claude',
          include: ['test/claude/**/*.test.ts'],
          exclude: full ? [] : PATIENT,
          globalSetup: wholeSetup,
          setupFiles,
          testTimeout: 400_000,
          hookTimeout: 400_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'codex',
          // Codex runs tools with a /dev of its own: what they write on a disk in memory below /dev is gone.
          env: { TMPDIR: tmpdir() },
          include: ['test/codex/**/*.test.ts'],
          exclude: full ? [] : PATIENT,
          globalSetup: wholeSetup,
          setupFiles,
          testTimeout: 400_000,
          // The first run unpacks almost half a gigabyte.
          hookTimeout: 400_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'declared',
          // Half a gigabyte more to unpack, and a minute: with the full run only. The declared twin of the demo agent is in every run.
          include: full ? ['test/declared/**/*.test.ts'] : [],
          globalSetup: wholeSetup,
          setupFiles,
          testTimeout: 400_000,
          hookTimeout: 400_000,
        },
      },
    ],
  },
});
