import { basename, dirname } from 'node:path';
import type { Files } from '../../src/base/ports.ts';

/** Files in memory. Each write is a millisecond later than the one before. */
export function memoryFiles(): Files {
  const kept = new Map<string, { text: string; at: bigint }>();
  let now = 0n;
  const write = (path: string, text: string) => {
    now += 1_000_000n;
    kept.set(path, { text, at: now });
  };
  const read = (path: string): string => {
    const found = kept.get(path);
    if (found === undefined) throw new Error(`ENOENT: ${path}`);
    return found.text;
  };
  const inside = (folder: string) => [...kept].filter(([path]) => dirname(path) === folder);
  return {
    exists: (path) => kept.has(path),
    readText: (path) => kept.get(path)?.text,
    readForeign: (path) => kept.get(path)?.text,
    readEnd(path, _mostBytes, from = 0) {
      const bytes = kept.has(path) ? Buffer.from(read(path)) : undefined;
      return bytes && { text: bytes.subarray(from).toString(), start: Math.min(from, bytes.length), size: bytes.length };
    },
    plainSize: (path) => (kept.has(path) ? Buffer.byteLength(read(path)) : 'absent'),
    size: (path) => Buffer.byteLength(kept.get(path)?.text ?? ''),
    stamp: (path) => kept.get(path)?.at.toString(),
    names: (folder) => inside(folder).map(([path]) => basename(path)),
    list(folder, most) {
      const found = inside(folder).map(([path, { text, at }]) => ({ name: basename(path), size: text.length, mtimeNs: at }));
      return { files: found.slice(0, most), others: [], more: found.length > most };
    },
    readGrowth(path, before) {
      const found = kept.get(path);
      if (found === undefined) return undefined;
      const offset = before?.offset ?? 0;
      const text = found.text.slice(offset, found.text.lastIndexOf('\n') + 1);
      return { text, now: { inode: 0n, offset: offset + text.length }, fromStart: before === undefined, more: false };
    },
    writePrivate: write,
    replace(path, content, options) {
      options?.beforeRename?.();
      write(path, content);
    },
    append: (path, content) => write(path, (kept.get(path)?.text ?? '') + content),
    copy: (from, to) => write(to, read(from)),
    rename(from, to) {
      write(to, read(from));
      kept.delete(from);
    },
    makeFolder: () => undefined,
    remove(path) {
      for (const name of kept.keys()) if (name === path || name.startsWith(`${path}/`)) kept.delete(name);
    },
    unlink: (path) => void kept.delete(path),
    removeSocket: (path) => void kept.delete(path),
  };
}
