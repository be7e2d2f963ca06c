import { commandLine, shellWord } from '../../base/shell-quote.ts';

/** A line of crontab(5) that starts the supervisor after a boot. cron turns `%` into a line feed, also inside quotes. */
export function cronLine(llmc: readonly string[], root: string, path: string | undefined): string {
  const command = commandLine(...llmc, 'up', '--detach', '--root', root);
  const line = path === undefined ? `@reboot ${command}` : `@reboot PATH=${shellWord(path)} ${command}`;
  return line.replaceAll('%', '\\%');
}
