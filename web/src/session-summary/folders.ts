/** The folders of some sessions, each once, in the order of the alphabet. */
export const foldersOf = (sessions: readonly { readonly cwd: string }[]): readonly string[] =>
  [...new Set(sessions.map(({ cwd }) => cwd))].toSorted()

/** The last name of a folder, which mostly says enough; the whole is told on hover. */
export const folderName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
