import { declarationProblems, isDeclaring } from './declaration.ts';
import { nearest } from './nearest.ts';
import { keyText, type Problem, quote } from './problems/problem.ts';
import { ANSWERABLE, answersFor } from './question-options.ts';
import { BUILT_IN_AGENTS, type Config } from './schema.ts';

/**
 * Reports what the schema cannot check: unknown agent names, and options that do not go together.
 * @param named the agents that the file names, also those whose tables are broken.
 */
export function brokenConfigReferences(config: Config, named: readonly string[] = []): readonly Problem[] {
  const known = [...new Set([...BUILT_IN_AGENTS, ...Object.keys(config.agents), ...named])];
  const problems: Problem[] = [];
  const check = (path: readonly string[], name: string | undefined): void => {
    if (name === undefined || known.includes(name)) return;
    const close = nearest(name, known);
    const help = close === undefined ? `expected one of ${known.join(', ')}, or a table [agents.${name}]` : `did you mean "${close}"?`;
    problems.push({ path, about: 'value', message: `${path.join('.')}: there is no agent "${name}"; ${help}` });
  };

  check(['defaults', 'agent'], config.defaults.agent);
  check(['pool', 'agent'], config.pool.agent);
  for (const [name, worker] of Object.entries(config.workers)) check(['workers', name, 'agent'], worker.agent);
  for (const [name, agent] of Object.entries(config.agents)) {
    check(['agents', name, 'extends'], agent.extends);
    check(['agents', name, 'fallback'], agent.fallback);
    problems.push(...lineage(config, name), ...declarationProblems(config, name));
  }
  return [...problems, ...conflictProblems(config), ...answerProblems(config)];
}

/** An answer that its question does not offer would never be taken: the question would wait for a person after all. */
function answerProblems({ workflow }: Config): readonly Problem[] {
  return ANSWERABLE.flatMap((type): Problem[] => {
    const option = workflow.answers[type]?.option;
    const known: readonly string[] = answersFor(type);
    if (option === undefined || known.includes(option)) return [];
    const path = ['workflow', 'answers', type, 'option'];
    const close = nearest(option, known);
    const help = close === undefined ? '' : `; did you mean ${quote(close)}?`;
    const message = `${keyText(path)}: found the string ${quote(option)}, expected one of ${known.join(', ')}${help}`;
    return [{ path, about: 'value', message }];
  });
}

/** A command belongs to `regenerate`, and only to it. */
function conflictProblems({ repo }: Config): readonly Problem[] {
  return repo.conflicts.flatMap(({ rule, command }, index): Problem[] => {
    const path = ['repo', 'conflicts', index, 'command'];
    if (rule === 'regenerate' && command === undefined)
      return [
        { path, about: 'missing', message: `repo.conflicts[${index}].command is missing; expected the command that makes the files again` },
      ];
    if (rule !== 'regenerate' && command !== undefined)
      return [
        {
          path,
          about: 'key',
          message: `repo.conflicts[${index}].command: the rule "${rule}" runs no command; remove it, or set rule = "regenerate"`,
        },
      ];
    return [];
  });
}

function lineage(config: Config, name: string): readonly Problem[] {
  const declared = config.agents[name];
  const problem = (key: string, about: Problem['about'], message: string): Problem => ({
    path: ['agents', name, ...(key ? [key] : [])],
    about,
    message,
  });
  const problems: Problem[] = [];
  if (declared?.fallback === name)
    problems.push(problem('fallback', 'value', `agents.${name}.fallback: an agent cannot be its own fallback`));
  if (BUILT_IN_AGENTS.includes(name)) {
    if (declared?.extends !== undefined)
      problems.push(problem('extends', 'value', `agents.${name}.extends: "${name}" is built in and extends nothing`));
  } else if (declared?.extends === undefined && declared?.command === undefined && !isDeclaring(declared)) {
    const needs = `so it needs extends = one of ${BUILT_IN_AGENTS.join(', ')}, or a command to declare it (docs/agents.md)`;
    problems.push({ ...problem('', 'key', `agents.${name}: "${name}" is not built in, ${needs}`), lacks: true });
  } else if (endsInItself(config, name)) {
    problems.push(problem('extends', 'value', `agents.${name}.extends: the chain of extends leads back to "${name}"`));
  }
  return problems;
}

function endsInItself(config: Config, name: string): boolean {
  const seen = new Set<string>();
  for (let next = config.agents[name]?.extends; next !== undefined && !seen.has(next); next = config.agents[next]?.extends) {
    if (next === name) return true;
    seen.add(next);
  }
  return false;
}
