import type { Refusal } from './refusal.ts';
import { commandLine } from './shell-quote.ts';

/** What the system refuses, as the main clause of a message. */
export function refusalText(refusal: Refusal): string {
  switch (refusal) {
    case 'disk_full':
      return 'the disk is full';
    case 'read_only':
      return 'the file system is mounted read-only';
    case 'disk_error':
      return 'the disk reports errors';
    case 'database_locked':
      return 'another program has locked llmc.db';
    case 'too_many_files':
      return 'too many files are open';
  }
}

/** What a person can type about a refusal; `place` is a path on the disk in question. */
export function refusalHint(refusal: Refusal, place?: string): string {
  switch (refusal) {
    case 'disk_full':
      return `Free some space${at('df', '-h', place)}`;
    case 'read_only':
      return `Find out which one${at('findmnt', '-T', place)}, and make it writable with mount -o remount,rw`;
    case 'disk_error':
      return `Look for the reason: dmesg; which disk it is${at('findmnt', '-T', place)}`;
    case 'database_locked':
      return `End the program that has it open${at('fuser', '-v', place)}`;
    case 'too_many_files':
      return 'Raise the limit: ulimit -n 65536; then start the supervisor again: llmc up --replace --detach';
  }
}

function at(file: string, option: string, place: string | undefined): string {
  return place === undefined ? '' : `: ${commandLine(file, option, place)}`;
}
