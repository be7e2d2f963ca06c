import { parse } from 'smol-toml';
import type { Secret } from './redact.ts';
import { SECRET_NAME } from './secret-shapes.ts';

/** Variables that every shell has, and whose values stand in every path and every version. */
const HARMLESS =
  /^(?:HOME|PATH|PWD|OLDPWD|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM\w*|COLORTERM|TMPDIR|TMUX\w*|XDG_\w+|EDITOR|VISUAL|PAGER|HOSTNAME|SHLVL|DISPLAY|WAYLAND_DISPLAY|MANPATH|INFOPATH|LS_COLORS|NVM_\w+|LLMC_\w+|INVOCATION_ID|JOURNAL_STREAM|DEBIAN_FRONTEND|TZ|_)$/;
const PATH_LIKE = /^[~/.][^\s=:]*$/;
const LONG_ENOUGH = 8;

/** The values of an environment that may be secret: by their name, or because nothing says that they are harmless. */
export function secretsOfEnvironment(variables: Readonly<Record<string, string | undefined>>): readonly Secret[] {
  return Object.entries(variables).flatMap(([name, value = '']) => {
    if (HARMLESS.test(name)) return [];
    const named = SECRET_NAME.test(name);
    if (!named && (value.length < LONG_ENOUGH || PATH_LIKE.test(value) || /^[\d.:]*$/.test(value))) return [];
    return secret(value, named && !PATH_LIKE.test(value));
  });
}

/** The variables in /proc/<pid>/environ. */
export function variablesIn(environ: string): Readonly<Record<string, string>> {
  const lines = environ.split('\0').filter((line) => line.includes('='));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

export interface ConfigSecrets {
  readonly secrets: readonly Secret[];
  /** `redact` in `[report]`; undefined if the file is not TOML and may name some. */
  readonly patterns: readonly string[] | undefined;
  /** The configuration without these values; undefined if it is not TOML. */
  readonly shown: unknown;
}

/** All values of `env` tables, and all values under the name of a secret. */
export function secretsOfConfig(text: string): ConfigSecrets {
  const secrets: Secret[] = [];
  const hide = (value: unknown, cut: boolean): unknown => {
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hide(inner, cut || SECRET_NAME.test(key))]));
    secrets.push(...secret(String(value), cut));
    return '[redacted]';
  };
  const walk = (value: unknown, key: string): unknown => {
    if (key === 'env' || (typeof value === 'string' && SECRET_NAME.test(key))) return hide(value, key !== 'env');
    if (Array.isArray(value)) return value.map((each) => walk(each, ''));
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name)]));
  };
  try {
    const tables = parse(text);
    const shown = walk(tables, '');
    return { secrets, shown, patterns: patternsIn(tables) };
  } catch {
    return { secrets: quotedIn(text), shown: undefined, patterns: text.includes('redact') ? undefined : [] };
  }
}

function patternsIn(tables: Readonly<Record<string, unknown>>): readonly string[] {
  const { report } = tables;
  const patterns = typeof report === 'object' && report !== null && 'redact' in report ? report.redact : [];
  return Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === 'string') : [];
}

/** A file that is not TOML may still hold values in quotes. */
function quotedIn(text: string): readonly Secret[] {
  const assigned = text.matchAll(/([A-Za-z_][A-Za-z0-9_]{0,100})["']?[ \t]{0,20}=[ \t]{0,20}(?:"([^"\n]{4,})|'([^'\n]{4,}))/g);
  return [...assigned].flatMap(([, name = '', double, single]) =>
    /^[A-Z]/.test(name) || SECRET_NAME.test(name) ? secret(double ?? single ?? '', SECRET_NAME.test(name)) : [],
  );
}

function secret(value: string, cut: boolean): readonly Secret[] {
  const whole = [{ value, cut }];
  // Programs print the lines of a key one by one.
  return value.includes('\n') ? [...whole, ...value.split('\n').map((line) => ({ value: line.trim(), cut: false }))] : whole;
}
