import { useClient } from 'dragoman/react'
import { foldersOf } from '../session-summary/folders.ts'
import { useFaces } from '../session-summary/use-faces.ts'
import { useFetched } from '../ui/use-fetched.ts'

/** The folders of the newest 500 sessions, and of those that started since. Any other folder can be typed. */
export const useFolders = (): readonly string[] => foldersOf(useListedSessions())

/** The folders of the sessions, in the order of the sessions: the newest first. */
export const useRecentFolders = (): readonly string[] => [
  ...new Set(useListedSessions().map(({ cwd }) => cwd)),
]

function useListedSessions() {
  const { data: listed } = useFetched(['folders'], (client, signal) =>
    client.call('listSessions', { query: { limit: '500' } }, { signal }),
  )
  const faces = useFaces(useClient().sessions())
  return [...(listed?.sessions ?? []), ...faces]
}
