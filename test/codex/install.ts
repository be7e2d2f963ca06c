import { installedFromNpm } from '../support/install-from-npm.ts';

const PLATFORM = `${process.platform}-${process.arch}`;
const VENDOR = `@openai/codex-${PLATFORM}/vendor`;
const TRIPLES: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

/** The version that the tests run. */
const TESTED = '0.166.0';

/** The real Codex; undefined, with a warning on stderr, where it cannot be installed. */
export function installedCodex(version: string = TESTED): Promise<string | undefined> {
  const triple = TRIPLES[PLATFORM] ?? PLATFORM;
  return installedFromNpm({
    title: 'Codex',
    name: 'codex',
    package: '@openai/codex',
    version,
    places: [`${VENDOR}/${triple}/bin/codex`],
  });
}
