import { posix } from 'node:path'

/** The path of a local folder on the other machine: by the longest matching pair, or the same path. */
export function folderThere(folders: Readonly<Record<string, string>>, cwd: string): string {
  const [here] = Object.keys(folders)
    .filter(folder => !/^\.\.(\/|$)/.test(posix.relative(folder, cwd)))
    .toSorted((one, other) => other.length - one.length)
  return here === undefined ? cwd : posix.join(folders[here] ?? '', posix.relative(here, cwd))
}
