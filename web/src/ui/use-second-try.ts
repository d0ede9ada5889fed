import { useEffect, useRef } from 'react'
import { useClient } from 'dragoman/react'

/** Tries again what failed, each time the server can be reached again. */
export function useSecondTry(hasFailed: boolean, again: () => void): void {
  const { connection } = useClient()
  const newest = useRef({ hasFailed, again })
  useEffect(() => {
    newest.current = { hasFailed, again }
  })
  useEffect(() => {
    let wasOpen = connection.get().state === 'open'
    return connection.subscribe(({ state }) => {
      const isBack = state === 'open' && !wasOpen
      wasOpen = state === 'open'
      if (isBack && newest.current.hasFailed) newest.current.again()
    })
  }, [connection])
}
