import type { StartedByService } from './started-by-service.ts';

/**
 * A unit of the user's systemd. `KillMode=process`: tmux and the agents live in the cgroup of the service, and must outlive a supervisor
 * that crashed. `NotifyAccess=all`: Node cannot send a datagram to a unix socket, so `systemd-notify` does, as a child.
 * `RestartSteps` needs systemd 254; an older one ignores it, and llmc itself waits longer after each failed start.
 */
export function systemdUnit({ root, argv, environment }: StartedByService): string {
  return `# Written by llmc service install; llmc service uninstall removes it.
[Unit]
Description=llmc supervisor of ${escapeSpecifiers(root)}
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
${Object.entries(environment)
  .map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`)
  .join('\n')}
ExecStart=/usr/bin/env ${argv.map((word) => quote(word).replaceAll('$', '$$$$')).join(' ')}
KillMode=process
TimeoutStartSec=infinity
TimeoutStopSec=60
Restart=on-failure
RestartSec=5
RestartSteps=6
RestartMaxDelaySec=300
WatchdogSec=300

[Install]
WantedBy=default.target
`;
}

/** systemd.syntax(7): a quoted word with C escapes. systemd expands `%` everywhere, and `$` in command lines. */
function quote(word: string): string {
  return `"${escapeSpecifiers(word).replace(/["\\]/g, '\\$&')}"`;
}

function escapeSpecifiers(text: string): string {
  return text.replaceAll('%', '%%');
}
