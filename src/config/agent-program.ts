import { LlmcError } from '../base/error.ts';
import { type DeclaredOptions, isDeclaration } from './declaration.ts';
import { type AgentOptions, BUILT_IN_AGENTS, type Config } from './schema.ts';

export interface AgentProgram {
  readonly name: string;
  /** The built-in adapter that understands this program, or the declared agent at the end of `extends`. */
  readonly adapter: string;
  /** Undefined for a built-in adapter. */
  readonly declaration: DeclaredOptions | undefined;
  /** Undefined: the adapter's own default. */
  readonly command: string | undefined;
  readonly args: readonly string[];
  /** May contain secrets, so llmc passes it only to the agent's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly channel: 'auto' | 'typing';
  readonly fallback: string | undefined;
  /** The account whose usage limit it reaches. */
  readonly account: string;
}

/** Follows `extends` to the adapter. The nearest command wins; arguments and environment add up, the adapter's first. */
export function agentProgram(config: Config, name: string): AgentProgram {
  const chain = [...ancestry(config, name)];
  const adapter = nameFamily(config, name);
  const last = chain.at(-1)?.options;
  const declaration = !BUILT_IN_AGENTS.includes(adapter) && last !== undefined && isDeclaration(last) ? last : undefined;
  if (declaration === undefined && !BUILT_IN_AGENTS.includes(adapter)) {
    throw new LlmcError('AGENT_NOT_FOUND', `There is no agent "${name}"`, {
      hint: `Use one of ${[...new Set([...BUILT_IN_AGENTS, ...Object.keys(config.agents)])].join(', ')}, or declare [agents.${name}] in config.toml.`,
    });
  }
  const declared = chain.map(({ options }) => options).filter((options) => options !== undefined);
  return {
    name,
    adapter,
    declaration,
    command: declared.find(({ command }) => command !== undefined)?.command,
    args: declared.toReversed().flatMap(({ args }) => args),
    env: Object.assign({}, ...declared.toReversed().map(({ env }) => env)),
    channel: declared.find(({ channel }) => channel !== undefined)?.channel ?? 'auto',
    fallback: declared[0]?.fallback,
    account: declared.find(({ account }) => account !== undefined)?.account ?? adapter,
  };
}

/** The adapter at the end of `extends`, built in or declared; the name itself if there is none. */
export function nameFamily(config: Config, name: string): string {
  return [...ancestry(config, name)].at(-1)?.name ?? name;
}

function* ancestry(config: Config, name: string): Generator<{ name: string; options: AgentOptions | undefined }> {
  const seen = new Set<string>();
  for (let next: string | undefined = name; next !== undefined && !seen.has(next); ) {
    seen.add(next);
    const options: AgentOptions | undefined = Object.hasOwn(config.agents, next) ? config.agents[next] : undefined;
    yield { name: next, options };
    next = options?.extends;
  }
}
