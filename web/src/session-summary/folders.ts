/** The folders of some sessions, each once, in the order of the alphabet. */
export const foldersOf = (sessions: readonly { readonly cwd: string }[]): readonly string[] =>
  [...new Set(sessions.map(({ cwd }) => cwd))].toSorted()

/** The last part of a folder's path, which is usually enough; the whole path is shown on hover. */
export const folderName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
