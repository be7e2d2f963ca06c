import { arch, platform, release } from 'node:os';
import { dirname, resolve } from 'node:path';
import { describeError, LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { jsonText } from '../../base/visible-text.ts';
import { workerNameSchema } from '../../config/worker-name.ts';
import { findWorker } from '../../store/find-worker.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { readOwner } from '../../supervisor/ownership/owner-file.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { tarGz, writeNewPrivate } from '../../system/files/archive.ts';
import { exists, namesIn, readText } from '../../system/files/files.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { readEnvironment } from '../../system/processes/strays.ts';
import { readStatusReport } from '../owner/read-status.ts';
import { examine } from '../repair/examine.ts';
import type { Shell } from '../shell.ts';
import { agentEnvironments } from './agent-environments.ts';
import { gather, type LeftOutPart, type ListedPart } from './gather.ts';
import { gitFacts } from './git-facts.ts';
import { type ConfigSecrets, secretsOfConfig, secretsOfEnvironment, variablesIn } from './known-secrets.ts';
import { once } from './once.ts';
import { type Part, valuePart } from './part.ts';
import { readLogFile } from './read-log-file.ts';
import { type Redactor, redactor } from './redact.ts';
import { workerParts } from './worker-parts.ts';

export interface ReportRequest {
  /** Undefined: all workers. */
  readonly worker: string | undefined;
  readonly output: string | undefined;
  readonly dryRun: boolean;
}

export interface ReportOutput {
  readonly root: string;
  /** Null with `--dry-run`. */
  readonly file: string | null;
  readonly parts: readonly ListedPart[];
  readonly left_out: readonly LeftOutPart[];
}

/** Collects what helps to find a fault in one archive, without secrets. Needs neither a supervisor nor a sound database. */
export async function writeReport(
  shell: Shell,
  { worker, output, dryRun }: ReportRequest,
  confirm: (found: ReportOutput) => Promise<void>,
): Promise<ReportOutput> {
  requireRoot(shell.layout);
  const config = secretsOfConfig(configText(shell));
  const redact = redactorFor(shell, config, await agentEnvironments(shell.layout.tmuxSocket));
  const workers = worker === undefined ? listWorkers(shell) : [named(shell, worker)];
  const now = Date.now();
  const { files, listed, leftOut } = await gather(listParts(shell, workers, config), redact);
  const contents = redact.json({
    llmc: shell.options.version,
    created_unix: Math.floor(now / 1_000),
    workers,
    files: listed,
    left_out: leftOut,
  });
  const found = { root: shell.root, file: null, parts: listed, left_out: leftOut };
  if (dryRun) return found;
  await confirm(found);
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const path = resolve(output ?? `llmc-report-${worker ?? 'all'}-${stamp}.tar.gz`);
  const archive = tarGz([{ name: 'contents.json', text: `${jsonText(contents.value, 2)}\n` }, ...files], now);
  if (!exists(dirname(path)))
    throw new LlmcError('INVALID_ARGUMENT', `${dirname(path)} is not there, so the archive cannot be written`, {
      hint: commandLine('mkdir', '-p', dirname(path)),
    });
  if (!writeNewPrivate(path, archive))
    throw new LlmcError('INVALID_ARGUMENT', `${path} exists already`, {
      hint: commandLine('llmc', 'report', ...(worker === undefined ? ['--all'] : ['--worker', worker]), '--output', `${path}.new`),
    });
  return { ...found, file: path };
}

function listParts(shell: Shell, workers: readonly string[], config: ConfigSecrets): readonly Part[] {
  const git = gitFacts(shell.root, systemProcesses);
  const say = once(shell.say);
  const log = (name: string, from: string): Part => ({ name, read: () => readLogFile(shell.root, from, 'json_lines') });
  return [
    valuePart('versions.json', () => ({
      llmc: shell.options.version,
      node: process.versions.node,
      system: platform(),
      release: release(),
      machine: arch(),
    })),
    valuePart('status.json', () => readStatusReport(shell)),
    valuePart('doctor.json', () => examine(shell)),
    valuePart('config.json', () => {
      if (config.shown === undefined) throw new Error('config.toml is not TOML');
      return config.shown;
    }),
    valuePart('git.json', () => git.ofRoot()),
    log('recovery.jsonl', 'recovery.jsonl'),
    log('llmc.jsonl', 'llmc.log'),
    ...workers.flatMap((worker) => workerParts(shell, worker, git, say)),
  ];
}

function configText({ layout }: Shell): string {
  try {
    return readText(layout.config);
  } catch {
    return '';
  }
}

/** The supervisor, the tmux server and the agents may have other environments than this command. */
function redactorFor({ layout, root }: Shell, { secrets, patterns }: ConfigSecrets, environments: readonly string[]): Redactor {
  if (patterns === undefined)
    throw new LlmcError('CONFIG_INVALID', `${layout.config} cannot be read, so the patterns of redact in [report] are unknown`, {
      hint: commandLine('llmc', 'doctor', '--root', root),
    });
  const owner = readOwner(layout.owner);
  const all = owner === undefined ? environments : [readEnvironment(owner.pid), ...environments];
  const known = [...secretsOfEnvironment(process.env), ...all.flatMap((environ) => secretsOfEnvironment(variablesIn(environ))), ...secrets];
  try {
    return redactor(known, patterns);
  } catch (error) {
    throw new LlmcError('CONFIG_INVALID', `a pattern of redact in [report] is not a regular expression: ${describeError(error)}`, {
      hint: `Correct it in ${layout.config}.`,
    });
  }
}

/** Without a state, the names of the worktrees and of the logs. */
function listWorkers({ layout }: Shell): readonly string[] {
  try {
    return Object.keys(readStateLeniently(layout).workers).toSorted();
  } catch {
    const logs = namesIn(layout.logs).flatMap((name) => /^(.+)\.log$/.exec(name)?.[1] ?? []);
    const names = new Set(
      [...namesIn(layout.worktrees), ...logs].filter((name) => name !== 'llmc' && workerNameSchema.safeParse(name).success),
    );
    return [...names].toSorted();
  }
}

function named(shell: Shell, worker: string): string {
  const known = listWorkers(shell);
  return known.includes(worker) ? worker : findWorker(readStateLeniently(shell.layout), worker).name;
}
