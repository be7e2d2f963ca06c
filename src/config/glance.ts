import { parse } from 'smol-toml';
import { expandHome } from '../system/home.ts';

export interface ConfigGlance {
  readonly source: string;
  readonly branch: string;
  modelOf(worker: string): string;
}

/**
 * What a status line shows of the configuration, read leniently: a typo in config.toml is for `llmc doctor`
 * and `llmc up` to refuse, and must not hide where the workers stand. Loads no schema, because start-up counts.
 */
export function glanceConfig(text: string): ConfigGlance {
  const tables = readTables(text);
  const word = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const repo = table(tables.repo);
  const fallback = word(table(tables.defaults).model) ?? 'opus';
  return {
    source: expandHome(word(repo.source) ?? ''),
    branch: word(repo.branch) ?? '',
    modelOf: (worker) => word(table(table(tables.workers)[worker]).model) ?? fallback,
  };
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
