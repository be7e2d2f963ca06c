import { resolve } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { loadConfig } from '../../config/load.ts';
import { repositoryAround } from '../../git/source/repository-around.ts';
import { rememberRoot } from '../../store/known-roots.ts';
import type { InitRequest, InitResult } from '../../workers/init-request.ts';
import { initRoot } from '../../workers/init-root.ts';
import { chooseRoot, findRepository, lookForRootAgain, placeFor, rootsFolder } from './root-here.ts';

type Ports = Parameters<typeof initRoot>[1];

/**
 * Makes a root at the given place, or without one at a place of its own for each repository. A repository that has a root
 * keeps it: of two calls at the same time, one makes the root and the other reports it.
 */
export async function setUpRoot(
  request: Omit<InitRequest, 'target'> & { readonly target: string | undefined },
  ports: Ports,
): Promise<InitResult> {
  const made =
    request.target === undefined ? await setUpOnce(request, ports) : await initRoot({ ...request, target: request.target }, ports);
  recordRoot(made.root);
  lookForRootAgain();
  return made;
}

/** Records a root for `llmc roots` and for commands inside its repository. An agent cannot put one there in this way. */
export function recordRoot(root: string): void {
  if (process.env.LLMC_WORKER) return;
  const repository = findRepository(root);
  if (repository !== undefined) rememberRoot(rootsFolder(), { root, repository });
}

async function setUpOnce(request: Omit<InitRequest, 'target'>, ports: Ports): Promise<InitResult> {
  const repository = repositoryAround(resolve(request.source ?? '.'));
  if (repository === undefined) return await initRoot({ ...request, target: placeFor({ gitDir: '', name: '' }) }, ports);
  for (;;) {
    const place = chooseRoot(repository) ?? placeFor(repository);
    try {
      return await initRoot({ ...request, target: place }, ports);
    } catch (error) {
      // The place was taken before, or meanwhile: by a root of this repository, or by another, which leads to the next place.
      if (!(error instanceof LlmcError) || error.code !== 'ROOT_EXISTS') throw error;
      if (place === chooseRoot(repository) || findRepository(place) === repository.gitDir) return await existing(place, request);
    }
  }
}

async function existing(root: string, { hardened }: Pick<InitRequest, 'hardened'>): Promise<InitResult> {
  const { repo, defaults, sandbox } = await loadConfig(root);
  if (hardened === true)
    throw new LlmcError('ROOT_EXISTS', `${root} is the root of this repository already: --hardened is for a new one`, {
      hint: `Add [sandbox] to its config.toml (docs/sandbox.md), or make another root: ${commandLine('llmc', 'init', '--hardened', '--target', `${root}-hardened`)}`,
    });
  return {
    root,
    source: repo.source,
    branch: repo.branch ?? '',
    agent: defaults.agent,
    lfs: false,
    sandbox: sandbox.kind,
    rebuilt: false,
    existing: true,
    warnings: [],
  };
}
