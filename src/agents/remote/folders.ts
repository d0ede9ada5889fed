import { posix } from 'node:path'

/** Where a folder of this machine lies on the other: as the longest of the given ones that it lies in says, or at the same place. */
export function folderThere(folders: Readonly<Record<string, string>>, cwd: string): string {
  const [here] = Object.keys(folders)
    .filter(folder => !/^\.\.(\/|$)/.test(posix.relative(folder, cwd)))
    .toSorted((one, other) => other.length - one.length)
  return here === undefined ? cwd : posix.join(folders[here] ?? '', posix.relative(here, cwd))
}
