import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullRun } from '../../test/support/full-run.ts';
import { DISABLING } from './disabling.fixture.ts';
import { proofSchema } from './proof.ts';
import { proveTree } from './prove-tree.ts';
import { type Lines, play, type Resolution, resolutions } from './random-resolution.fixture.ts';
import type { FileVersion, TreeFile } from './tree-file.ts';
import { judgeProof } from './verdict.ts';

const RUNS = isFullRun ? 3_000 : 100;

const version = (path: string, lines: readonly string[]): FileVersion => ({
  path,
  mode: '100644',
  id: lines.join('\n'),
  content: { kind: 'lines', lines },
});

function treeFile(path: string, { base, main, worker, result }: Lines): TreeFile {
  return { base: version(path, base), main: version(path, main), worker: version(path, worker), result: version(path, result) };
}

function prove(resolution: Resolution) {
  const story = play(resolution);
  const files = story.files.map((lines, index) => treeFile(`file ${index}`, lines));
  return { story, proof: proofSchema.parse(proveTree(files, { sameAsMain: false, explanations: [] })) };
}

test('a right resolution has no dropped line, no resurrected one and no hard stop', () => {
  fc.assert(
    fc.property(resolutions(false), (resolution) => {
      const { proof } = prove(resolution);
      expect({ dropped: proof.dropped, resurrected: proof.resurrected, stops: proof.stops }).toEqual({
        dropped: [],
        resurrected: [],
        stops: [],
      });
    }),
    { numRuns: RUNS },
  );
});

test('the proof names exactly the lines that a resolution dropped or brought back, and the markers it left', () => {
  fc.assert(
    fc.property(resolutions(true), (resolution) => {
      const { story, proof } = prove(resolution);
      const texts = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text).sort();
      expect(texts(proof.dropped)).toEqual(story.dropped.toSorted());
      expect(texts(proof.resurrected)).toEqual(story.resurrected.toSorted());
      expect(proof.stops.map(({ kind }) => kind)).toEqual(resolution.markers ? ['markers'] : []);
    }),
    { numRuns: RUNS },
  );
});

test('no edit that disables a new line of main is clean, and the same resolution without it is', () => {
  const edits = fc.constantFrom(...Object.values(DISABLING));
  let clean = 0;
  fc.assert(
    fc.property(resolutions(false), edits, fc.nat(), (resolution, edit, choice) => {
      const { files } = play({ ...resolution, crlf: false, moved: false });
      const places = files.flatMap(({ result }, file) =>
        [...result.entries()].filter(([, line]) => line.trim().startsWith('main')).map(([at]) => ({ file, at })),
      );
      const place = places[choice % places.length];
      if (place === undefined) return;
      const verdict = (edited: readonly Lines[]) =>
        judgeProof(
          proveTree(
            edited.map((lines, index) => treeFile(`file ${index}`, lines)),
            { sameAsMain: false, explanations: [] },
          ),
        );
      if (verdict(files) === 'clean') clean += 1;
      const disabled = files.map((lines, file) =>
        file === place.file ? { ...lines, result: lines.result.toSpliced(place.at, 1, ...edit(lines.result[place.at] ?? '')) } : lines,
      );
      expect(verdict(disabled)).not.toBe('clean');
    }),
    { numRuns: RUNS * 3 },
  );
  expect(clean).toBeGreaterThan(0);
});
