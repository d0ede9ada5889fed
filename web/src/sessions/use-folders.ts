import { useEffect, useState } from 'react'
import { useClient } from 'dragoman/react'
import { foldersOf } from '../session-summary/folders.ts'
import { useFaces } from '../session-summary/use-faces.ts'

/** The folders of the newest 500 sessions, and of those that came since. */
export function useFolders(): readonly string[] {
  const client = useClient()
  const [known, learn] = useState<readonly string[]>([])
  const faces = useFaces(client.sessions())
  useEffect(() => {
    const stop = new AbortController()
    client.call('listSessions', { query: { limit: '500' } }, { signal: stop.signal }).then(
      ({ sessions }) => learn(foldersOf(sessions)),
      // Then only folders of the listed sessions are suggested; any other can be typed.
      () => {},
    )
    return () => stop.abort()
  }, [client])
  return foldersOf([...known.map(cwd => ({ cwd })), ...faces])
}
