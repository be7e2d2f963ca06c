import { join } from 'node:path';

const DEMO_PROGRAM = join(import.meta.dirname, '../../dist/demo-agent.js');

/** The demo agent as a declared agent, by its screen alone. */
const OPTIONS = {
  command: '"env"',
  start_args: '["--session-id", "{id}"]',
  resume_args: '["--resume", "{id}"]',
  ready: "['^  demo agent · ', '^  Press Ctrl-C again to exit']",
  busy: "['^  .* · esc to interrupt', '^[·✢✳✶✻✽] Working… \\(\\d+s\\)$']",
  dialog: "['^ Enter to (?:confirm|choose|select) · ']",
  box: "'^❯(?:\\u00a0(.*))?$'",
  box_more: "'^(?:  (.*))?$'",
  folded: "'\\[Pasted text #\\d+(?: \\+(\\d+) lines)?\\]'",
};

/** A table for config.toml. Its program has no spool, so that the screen is the only evidence. Omits undefined options. */
export function declaredTwin(
  name: string,
  args: readonly string[],
  changes: { readonly [Key in keyof typeof OPTIONS]?: string | undefined } = {},
): string {
  const argv = ['-u', 'LLMC_SPOOL', process.execPath, DEMO_PROGRAM, ...args];
  const options = Object.entries({ ...OPTIONS, args: JSON.stringify(argv), ...changes });
  return [`[agents.${name}]`, ...options.flatMap(([key, value]) => (value === undefined ? [] : [`${key} = ${value}`])), ''].join('\n');
}
