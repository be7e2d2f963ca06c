import { parse, TomlError } from 'smol-toml';
import type * as z from 'zod';
import { LlmcError } from '../base/error.ts';
import { CONFIG_FILE, describedSchema } from './described-schema.ts';
import { type LocatedProblem, locate } from './problems/locate.ts';
import { listProblems, type Problem } from './problems/problem.ts';
import { salvageRest } from './problems/rest.ts';
import { brokenConfigReferences } from './references.ts';
import { type Config, configSchema } from './schema.ts';
import { scanToml } from './toml/positions.ts';

export type Reading =
  | { readonly kind: 'valid'; readonly config: Config }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

/** Parses config.toml. Throws one error with all problems, in the order of the file. */
export function readConfigText(source: string): Reading {
  const text = source.replace(/^\uFEFF/, '');
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Use only the first line: the rest quotes the file, which may contain secrets.
    const message = `not valid TOML: ${(error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')}`;
    return { kind: 'invalid', problems: [{ line: error.line, column: error.column, message }] };
  }
  const checked = configSchema.safeParse(parsed);
  const problems = checked.success ? brokenConfigReferences(checked.data) : refusedProblems(parsed, checked.error);
  if (checked.success && problems.length === 0) return { kind: 'valid', config: checked.data };
  return { kind: 'invalid', problems: locate(text, scanToml(text).marks, problems) };
}

/** What the schema refuses, and what is wrong in the rest. */
function refusedProblems(parsed: unknown, error: z.ZodError): readonly Problem[] {
  const rest = salvageRest(configSchema, parsed, error, [], { repo: { source: '/' } });
  const refused = listProblems({ error, parsed, schema: describedSchema(), at: [] }, CONFIG_FILE);
  return rest === undefined ? refused : [...refused, ...rest.adapt(brokenConfigReferences(rest.value, agentsIn(parsed)))];
}

/** An agent counts as known also when its table is broken. */
function agentsIn(parsed: unknown): readonly string[] {
  const agents: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'agents') : undefined;
  return typeof agents === 'object' && agents !== null ? Object.keys(agents) : [];
}

/** @param file the name of the file in messages. */
export function parseConfig(text: string, file: string): Config {
  const reading = readConfigText(text);
  if (reading.kind === 'valid') return reading.config;
  const lines = reading.problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  const more = lines.length - 1;
  throw new LlmcError('CONFIG_INVALID', `${lines[0]}${more > 0 ? ` (and ${more} more problem${more > 1 ? 's' : ''})` : ''}`, {
    hint: `Correct ${file}; llmc doctor --repair opens it in your editor. docs/configuration.md lists every option.`,
    ...(more > 0 && { details: lines.join('\n') }),
  });
}
