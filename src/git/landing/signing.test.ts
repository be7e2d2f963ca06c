import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchRepo, scratchRoot, signCommits } from '../../../test/support/scratch-repo.ts';
import { exchange } from '../exchange/exchange.ts';
import { outside } from '../run.ts';
import { forgeHead } from './forge-head.fixture.ts';
import { readSigning } from './signing.ts';
import { moveBranch, squashOnto } from './squash.ts';

describe('whether commits are signed', () => {
  test.for([
    { value: undefined, signs: false },
    { value: 'false', signs: false },
    { value: 'off', signs: false },
    { value: 'true', signs: true },
    { value: 'Yes', signs: true },
    { value: '1', signs: true },
  ])('is what the source says: %o', async ({ value, signs }) => {
    await using repo = await scratchRepo();
    if (value !== undefined) await repo.run(['config', 'commit.gpgsign', value]);
    await repo.run(['config', 'user.signingkey', 'ABC']);
    expect(await readSigning(repo.git, repo.path)).toEqual(signs ? [{ key: 'user.signingkey', value: 'ABC' }] : undefined);
  });
});

describe('a squashed commit', () => {
  test('is signed with the key of the source, also when it was one commit already, and is done once it is', async () => {
    await using repo = await scratchRepo();
    await signCommits(repo);
    const { root, base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.commit('One', { a: '1\n' }, path);
    const signing = await readSigning(repo.git, repo.path);
    const squashed = await squashOnto(outside(repo.git), path, base, 'One', { signing });
    if (squashed.kind !== 'squashed') throw new Error(squashed.kind);
    await repo.run(['fetch', '--quiet', root, squashed.sha]);
    await repo.run(['verify-commit', squashed.sha]);
    await moveBranch(repo.git, path, squashed);
    await exchange(repo.git, root, path);
    const again = { signing, made: squashed.sha };
    expect(await squashOnto(outside(repo.git), path, base, 'One', again)).toMatchObject({ kind: 'unchanged', sha: squashed.sha });
  });

  test('is signed also if the commit of the agent pretends to be', async () => {
    await using repo = await scratchRepo();
    await signCommits(repo);
    const { root, base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.commit('One', { a: '1\n' }, path);
    await forgeHead(repo, path, 'gpgsig -----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----');
    const squashed = await squashOnto(outside(repo.git), path, base, 'One', { signing: await readSigning(repo.git, repo.path) });
    if (squashed.kind !== 'squashed') throw new Error(squashed.kind);
    await repo.run(['fetch', '--quiet', root, squashed.sha]);
    await repo.run(['verify-commit', squashed.sha]);
  });

  test('is not made when the program that signs fails, and its words are told', async () => {
    await using repo = await scratchRepo();
    const program = join(repo.dir, 'gpg stub');
    await repo.write('gpg stub', '#!/bin/sh\necho "gpg: no pinentry" >&2\nexit 2\n', repo.dir);
    await chmod(program, 0o755);
    await repo.run(['config', 'gpg.program', program]);
    await repo.run(['config', 'commit.gpgsign', 'true']);
    const { base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.commit('One', { a: '1\n' }, path);
    const signing = await readSigning(repo.git, repo.path);
    await expect(squashOnto(outside(repo.git), path, base, 'Other', { signing })).rejects.toMatchObject({
      code: 'SIGNING_FAILED',
      message: expect.stringMatching(/^the commit cannot be signed: .*gpg failed to sign/),
      hint: expect.stringContaining('gpg-agent'),
    });
  });
});
