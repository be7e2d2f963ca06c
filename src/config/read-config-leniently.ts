import { parse } from 'smol-toml';
import { expandHome } from '../system/home.ts';
import { defaultModel } from './default-model.ts';

export interface LenientConfig {
  readonly source: string;
  readonly branch: string;
  readonly reviewInterface: string | undefined;
  /** Where the log of a run is written, with `{run}` for its name. */
  readonly runLog: string;
  modelOf(worker: string, agent: string): string;
  /** The account whose usage limit an agent reaches. */
  accountOf(agent: string): string;
}

/**
 * Reads the part of the configuration that `llmc status` shows, without checks: `llmc doctor` and `llmc up` refuse a typo
 * in config.toml, but a typo must not hide the workers. Loads no schema, because that would slow down the start.
 */
export function readConfigLeniently(text: string): LenientConfig {
  const tables = readTables(text);
  const word = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const repo = table(tables.repo);
  const defaults = table(tables.defaults);
  const parent = (agent: string) => word(table(table(tables.agents)[agent]).extends);
  return {
    source: expandHome(word(repo.source) ?? ''),
    branch: word(repo.branch) ?? '',
    reviewInterface: word(defaults.review_interface),
    runLog: word(table(tables.workflow).log_file) ?? 'logs/{run}.log',
    accountOf: (agent) => readAccount(agent, table(tables.agents)),
    modelOf: (worker, agent) =>
      word(table(table(tables.workers)[worker]).model) ??
      defaultModel(family(agent, parent), family(word(defaults.agent) ?? 'claude', parent), word(defaults.model)),
  };
}

function family(agent: string, parent: (agent: string) => string | undefined): string {
  const seen = new Set<string>();
  let name = agent;
  for (let next = parent(name); next !== undefined && !seen.has(next); next = parent(name)) {
    seen.add(next);
    name = next;
  }
  return name;
}

function readAccount(agent: string, agents: Readonly<Record<string, unknown>>, seen: readonly string[] = []): string {
  const { account, extends: parent } = table(Object.hasOwn(agents, agent) ? agents[agent] : undefined);
  if (typeof account === 'string') return account;
  return typeof parent === 'string' && !seen.includes(parent) ? readAccount(parent, agents, [...seen, agent]) : agent;
}

function readTables(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch {
    return {};
  }
}

function table(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
