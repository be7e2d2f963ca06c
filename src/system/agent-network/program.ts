import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLoopback } from './allowed-hosts.ts';

/** The program that leads an agent's requests out of its sandbox: beside this file in the sources, at the top of the bundle's folder in a package. */
export function networkProgram(): string {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  if (here.endsWith('.ts')) return join(folder, 'main.ts');
  return join(basename(folder) === 'chunks' ? dirname(folder) : folder, 'agent-network.js');
}

/** Runs the command with a way out, on the outer side of a sandbox. */
export function ledOutside(folder: string, hosts: readonly string[]): readonly string[] {
  return [process.execPath, networkProgram(), 'outside', folder, hosts.join(',')];
}

/**
 * Runs the command with a proxy that leads there, on the inner side. The shell becomes the command: Claude Code names a file after its process, which
 * is the first of the sandbox.
 */
export function ledInside(hosts: readonly string[]): readonly string[] {
  // The agent's own loopback is reached directly, unless the hosts name the one outside.
  const direct = hosts.some(isLoopback) ? '' : 'localhost,127.0.0.1,::1';
  const line = [
    'port=$({ "$1" "$2" inside & } | { read -r port; echo "$port"; })',
    'test -n "$port" || exit 1',
    `for name in http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY; do export "$name=http://127.0.0.1:$port"; done`,
    `export NO_PROXY=${direct} no_proxy=${direct}`,
    // Node 24 then uses the variables in fetch and http.
    'export NODE_USE_ENV_PROXY=1',
    'shift 2',
    'exec "$@"',
  ];
  return ['sh', '-c', line.join('\n'), 'llmc-network', process.execPath, networkProgram()];
}
