import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { proofSchema } from '../../src/proof/proof.ts';
import { judgeProof } from '../../src/proof/verdict.ts';
import type { Tree } from '../support/conflicting.ts';
import type { ScratchRepo } from '../support/scratch-repo.ts';
import type { Performed } from './perform.ts';
import type { Expected, Proven, Scenario } from './scenario.ts';
import { checkoutOf, isCheckedOut, type Situation } from './situation.ts';
import { touched, touchedByLanding } from './untouched.ts';

/** Expects what the scenario says, and what is promised for every one. */
export async function check(scenario: Scenario, performed: Performed): Promise<void> {
  const { expected } = scenario;
  expect(clashesOf(performed)).toEqual(expected.clashes ?? {});
  expect(provenOf(performed)).toEqual(expected.proof ?? (performed.resolution?.proof == null ? undefined : { verdict: 'clean' }));
  expect(performed.prompts).toHaveLength(expected.asked ?? (scenario.turns ?? []).length);
  expect(touched(performed.work.repo, performed.pictures.before, performed.pictures.resolved)).toEqual([]);
  await checkEnd(scenario, performed, expected);
}

const clashesOf = ({ facts }: Performed) =>
  Object.fromEntries((facts?.files ?? []).map(({ path, clash }) => [path.replace(/~.*$/s, '~…'), clash.kind]));

function provenOf({ resolution }: Performed): Proven | undefined {
  if (resolution?.proof == null) return undefined;
  const proof = proofSchema.parse(JSON.parse(resolution.proof));
  const filled = Object.entries({
    dropped: proof.dropped.map(({ side, path, text }) => `${side} ${path}: ${text}`),
    resurrected: proof.resurrected.map(({ side, path, text }) => `${side} ${path}: ${text}`),
    replaced: proof.replaced.map(({ how, side, path, text }) => `${how} ${side} ${path}: ${text}`),
    added: proof.added.map(({ path, text }) => `${path}: ${text}`),
    stops: proof.stops.map((stop) => ('path' in stop ? `${stop.kind} ${stop.path}` : stop.kind)),
    notes: proof.notes.map(({ kind, path }) => `${kind} ${path}`),
  }).filter(([, list]) => list.length > 0);
  return { verdict: judgeProof(proof), ...Object.fromEntries(filled) };
}

async function checkEnd({ situation = 'clean' }: Scenario, performed: Performed, expected: Expected): Promise<void> {
  const { work, worker, refusal, accepted, pictures, onto, head, resolution } = performed;
  const { repo, worktree } = work;
  const ended = expected.ends === 'landed' || expected.ends === 'nothing-to-land';
  if (ended) expect(refusal).toBeUndefined();
  if (expected.ends !== 'landed') {
    expect(touched(repo, pictures.before, pictures.after, { refused: expected.ends === 'refused' })).toEqual([]);
    expect(await repo.run(['rev-parse', 'main'])).toBe(onto);
  }
  switch (expected.ends) {
    case 'landed': {
      const landed = (await repo.run(['diff', '--name-only', '--no-renames', '-z', onto, 'main'])).split('\0').filter(Boolean);
      expect(touchedByLanding(repo, situation, { ...pictures, landed })).toEqual([]);
      expect(await repo.run(['log', '--format=%H', `${onto}..main`])).toBe(accepted?.commit);
      await checkTree(performed, situation, expected.main);
      for (const [path, tag] of Object.entries(expected.links ?? {}))
        expect(await repo.run(['rev-parse', `main:${path}`])).toBe(
          await repo.run(['rev-parse', `${tag}^{commit}`], join(repo.dir, 'lib remote')),
        );
      break;
    }
    case 'nothing-to-land':
      expect(accepted).toMatchObject({ how: 'nothing', commit: null });
      break;
    case 'refused':
      expect(refusal).toMatchObject({ code: expected.code });
      if (expected.attention !== undefined) expect(worker.attention).toMatchObject({ kind: expected.attention });
      break;
    case 'given-back':
      expect(worker).toMatchObject({ status: 'needs_review', attention: { kind: 'conflict_given_up' } });
      expect(resolution).toMatchObject({ outcome: 'aborted' });
      expect(await repo.run(['log', '-1', '--format=%H %D'], worktree)).toContain(`${head} HEAD -> llmc/adam`);
      expect(await repo.run(['status', '--porcelain'], worktree)).toBe('');
      break;
    case 'person':
      expect(worker).toMatchObject({ status: 'rebasing', attention: { kind: 'resolution_stuck', why: expected.called } });
      expect(resolution).toMatchObject({ called: expected.called, outcome: null });
  }
  if (!ended) return;
  expect(worker).toMatchObject({ status: 'idle', attention: null });
  expect(await repo.run(['status', '--porcelain', '--branch'], worktree)).toMatch(/^## llmc\/adam[^\n]*$/);
  expect(await repo.run(['rev-parse', 'HEAD'], worktree)).toBe(await repo.run(['rev-parse', 'main']));
}

/** In the user's checkout if main is there, else in the commit. */
async function checkTree({ work: { repo } }: Performed, situation: Situation, files: Tree): Promise<void> {
  const shown: Record<string, unknown> = {};
  for (const path of Object.keys(files)) {
    const [mode] = (await repo.run(['ls-tree', 'main', '--', `:(top,literal)${path}`])).split(' ');
    shown[path] = mode === '' ? null : [mode, contentOf(repo, situation, path)];
  }
  expect(shown).toEqual(
    Object.fromEntries(Object.entries(files).map(([path, content]) => [path, content === null ? null : listed(content)])),
  );
}

function listed(content: NonNullable<Tree[string]>): readonly [string, string] {
  if (typeof content === 'string' || content instanceof Uint8Array) return ['100644', Buffer.from(content).toString('latin1')];
  if ('link' in content) return ['120000', Buffer.from(content.link).toString('latin1')];
  return ['100755', Buffer.from(content.program).toString('latin1')];
}

function contentOf(repo: ScratchRepo, situation: Situation, path: string): string {
  const file = join(checkoutOf(repo, situation), path);
  if (!isCheckedOut(situation)) return execFileSync('git', ['cat-file', 'blob', `main:${path}`], { cwd: repo.path }).toString('latin1');
  return lstatSync(file).isSymbolicLink() ? readlinkSync(file, 'latin1') : readFileSync(file, 'latin1');
}
