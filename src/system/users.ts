import { readOwnText } from './files/foreign-file.ts';

/** A user of this machine. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** Finds a user in /etc/passwd, where `useradd` writes it. Undefined if there is none. */
export function findUser(name: string, passwd: string | undefined = readOwnText('/etc/passwd')): SystemUser | undefined {
  const row = passwd?.split('\n').find((line) => line.startsWith(`${name}:`));
  const [, , uid, gid, , home] = row?.split(':') ?? [];
  if (!/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '') || !home?.startsWith('/')) return undefined;
  return { name, uid: Number(uid), gid: Number(gid), home };
}
