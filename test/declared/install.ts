import { installedFromNpm } from '../support/install-from-npm.ts';

/** The real OpenCode; undefined, with a warning on stderr, where it cannot be installed. */
export function installedOpenCode(): Promise<string | undefined> {
  const platform = `opencode-${process.platform}-${process.arch}`;
  return installedFromNpm({
    title: 'OpenCode',
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    places: ['', '-baseline', '-musl'].map((kind) => `${platform}${kind}/bin/opencode`),
  });
}
