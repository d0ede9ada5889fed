/** The folders of some sessions, each once, in the order of the alphabet. */
export const foldersOf = (sessions: readonly { readonly cwd: string }[]): readonly string[] =>
  [...new Set(sessions.map(({ cwd }) => cwd))].toSorted()

const namesIn = (path: string): readonly string[] => path.split(/[\\/]/).filter(Boolean)

/** The last part of a folder's path, where there is little room; the whole path is shown on hover. */
export const folderName = (path: string): string => namesIn(path).at(-1) ?? path

/** A project, by its folder and the folder around it: many projects have a folder "app". */
export const projectName = (path: string): string => namesIn(path).slice(-2).join('/') || path
