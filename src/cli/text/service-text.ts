import type { ServiceReport } from '../service/service.ts';

const AFTERWARDS = {
  systemd: 'The supervisor and its agents keep running; llmc down stops them.',
  launchd: 'launchd has stopped the supervisor and its agents. To start them again: llmc up --detach',
} as const;

/** The service in a few lines, with what to type next. */
export function serviceText(report: ServiceReport): string {
  const { action, kind, name, file, installed, changed } = report;
  if (action === 'uninstall') return changed ? `Removed ${name}. ${AFTERWARDS[kind]}` : `${name} was not installed.`;
  if (!installed) return `Not installed. Install it: llmc service install`;
  const head = action === 'install' ? `${changed ? 'Installed' : 'Already installed:'} ${name} (${file}).` : `${name}: ${file}`;
  return [
    head,
    ...stateLines(report),
    ...adviceOn(report),
    ...(kind === 'systemd' ? [`Its output: journalctl --user --unit ${name}`] : []),
  ].join('\n');
}

function stateLines({ enabled, state, pid, restarts, action }: ServiceReport): readonly string[] {
  if (action === 'install') return [];
  const process = pid === null ? '' : `, process ${pid}`;
  const count = restarts === null || restarts === 0 ? '' : `, started again ${restarts === 1 ? 'once' : `${restarts} times`}`;
  return [`It is ${enabled ? 'enabled' : 'not enabled'} and ${state ?? 'not loaded'}${process}${count}.`];
}

function adviceOn({ up_to_date, enabled, lingers, kind }: ServiceReport): readonly string[] {
  return [
    ...(up_to_date && enabled ? [] : ['→ Its file is not the one that this llmc writes, or it is not enabled: llmc service install']),
    ...(kind === 'systemd' && lingers === false ? ['→ It ends when you log out. To keep it running: loginctl enable-linger'] : []),
  ];
}
