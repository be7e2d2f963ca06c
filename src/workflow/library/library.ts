import { basename, join } from 'node:path';
import { describeError, LlmcError } from '../../base/error.ts';
import { loadConfigInForce } from '../../config/in-force.ts';
import { nearest } from '../../config/nearest.ts';
import { BUILT_IN_AGENTS, type Config } from '../../config/schema.ts';
import type { Git } from '../../git/run.ts';
import { readFolder } from '../../git/source/read-folder.ts';
import { inspectSource } from '../../git/source/source.ts';
import { namesIn } from '../../system/files/files.ts';
import { readTextFile, type TextFile } from '../../system/files/text-file.ts';
import { readWorkflow, type WorkflowReading } from '../definition/read-workflow.ts';
import { LARGEST_WORKFLOW } from '../definition/read-yaml.ts';
import { builtInFolder } from './built-in-folder.ts';

/** Where a workflow comes from. The first one of a name wins. */
export const ORIGINS = ['root', 'repository', 'built-in'] as const;
export type WorkflowOrigin = (typeof ORIGINS)[number];

export interface WorkflowFile {
  readonly name: string;
  /** Undefined for a file that was named by its path. */
  readonly origin: WorkflowOrigin | undefined;
  /** The path; for the repository, the branch and the path in it. */
  readonly file: string;
  readonly text: string;
  /** Read when it is asked for: most callers need one workflow, and to read those of llmc takes twenty times as long as to find them. */
  readonly reading: WorkflowReading;
}

export interface Library {
  /** In the order of their origins, also those that another one shadows. */
  readonly workflows: readonly WorkflowFile[];
  /** Why the workflows of the repository could not be read. */
  readonly problem: string | undefined;
}

/** Collects the workflows of a root, of its repository and of llmc. All of them are read as data: nothing in them is run. */
export async function openLibrary(root: string, git: Git): Promise<Library> {
  const config = await configIfThere(root);
  const agents = listAgents(config);
  const repository = config === undefined ? { files: [], problem: undefined } : await ofRepository(git, config, agents);
  const own = config === undefined ? [] : await inFolder(join(root, 'workflows'), 'root', agents);
  return {
    workflows: [...own, ...repository.files, ...(await inFolder(builtInFolder(), 'built-in', agents))],
    problem: repository.problem,
  };
}

export interface FoundWorkflow {
  readonly workflow: WorkflowFile;
  /** The workflows of the same name that this one wins over. */
  readonly shadows: readonly WorkflowFile[];
}

/** A workflow by its name, or by the path of its file. */
export async function findWorkflow(root: string, git: Git, word: string): Promise<FoundWorkflow> {
  if (isPath(word)) {
    const content = requireText(word, await readTextFile(word, LARGEST_WORKFLOW));
    return { workflow: toWorkflowFile(word, undefined, content, listAgents(await configIfThere(root))), shadows: [] };
  }
  const { workflows } = await openLibrary(root, git);
  const [workflow, ...shadows] = workflows.filter(({ name }) => name === word);
  if (workflow !== undefined) return { workflow, shadows };
  const close = nearest(
    word,
    workflows.map(({ name }) => name),
  );
  throw new LlmcError('WORKFLOW_NOT_FOUND', `there is no workflow "${word}"${close === undefined ? '' : `; did you mean "${close}"?`}`, {
    hint: 'llmc workflows list, or name a file: ./my-workflow.yaml',
  });
}

/** The agents that roles can name in a root. */
export async function rootAgents(root: string): Promise<readonly string[] | undefined> {
  return listAgents(await configIfThere(root));
}

/** The agents that roles can name; undefined without a root. */
export function listAgents(config: Config | undefined): readonly string[] | undefined {
  return config && [...new Set([...BUILT_IN_AGENTS, ...Object.keys(config.agents)])];
}

function isPath(word: string): boolean {
  return word.includes('/') || isWorkflowFile(word);
}

function isWorkflowFile(name: string): boolean {
  return /\.ya?ml$/.test(name);
}

async function configIfThere(root: string): Promise<Config | undefined> {
  try {
    return (await loadConfigInForce(root)).config;
  } catch (error) {
    if (error instanceof LlmcError && error.code === 'ROOT_NOT_FOUND') return undefined;
    throw error;
  }
}

async function ofRepository(git: Git, { repo }: Config, agents: readonly string[] | undefined) {
  try {
    const { path, branch } = await inspectSource(git, repo.source, repo.branch);
    const files = await readFolder(git, path, branch, 'workflows', LARGEST_WORKFLOW);
    const read = files
      .filter(({ path: name }) => isWorkflowFile(name))
      .map((file) => toWorkflowFile(`${branch}:${file.path}`, 'repository', committedText(file.text), agents));
    return { files: read, problem: undefined };
  } catch (error) {
    return { files: [], problem: describeError(error) };
  }
}

async function inFolder(folder: string, origin: WorkflowOrigin, agents: readonly string[] | undefined): Promise<readonly WorkflowFile[]> {
  const paths = namesIn(folder)
    .filter(isWorkflowFile)
    .toSorted()
    .map((name) => join(folder, name));
  return await Promise.all(paths.map(async (path) => toWorkflowFile(path, origin, await readTextFile(path, LARGEST_WORKFLOW), agents)));
}

function committedText(text: string | undefined): TextFile {
  return text === undefined
    ? { kind: 'failed', reason: `it is larger than ${LARGEST_WORKFLOW} bytes, or not UTF-8` }
    : { kind: 'text', text };
}

/** A file that cannot be read has this as its only problem, so that the others can still be listed. */
function toWorkflowFile(
  file: string,
  origin: WorkflowOrigin | undefined,
  content: TextFile,
  agents: readonly string[] | undefined,
): WorkflowFile {
  const name = basename(file).replace(/\.ya?ml$/, '');
  if (content.kind !== 'text') {
    const reading = { kind: 'invalid', problems: [{ line: 1, column: 1, message: obstacle(content) }] } as const;
    return { name, origin, file, text: '', reading };
  }
  const { text } = content;
  let reading: WorkflowReading | undefined;
  return {
    name,
    origin,
    file,
    text,
    get reading() {
      reading ??= readWorkflow(text, { agents, name: origin && name });
      return reading;
    },
  };
}

function requireText(path: string, content: TextFile): TextFile {
  if (content.kind !== 'missing') return content;
  throw new LlmcError('WORKFLOW_NOT_FOUND', `there is no file ${path}`, { hint: 'llmc workflows list' });
}

function obstacle(content: Exclude<TextFile, { kind: 'text' }>): string {
  switch (content.kind) {
    case 'missing':
      return 'the file is gone';
    case 'denied':
      return 'the file cannot be read: permission denied';
    case 'not-utf8':
      return 'found bytes that are not UTF-8, expected YAML text';
    case 'failed':
      return `the file cannot be read: ${content.reason}`;
  }
}
