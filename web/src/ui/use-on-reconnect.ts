import { useEffect, useRef } from 'react'
import type { Client } from 'dragoman/client'
import { useClient } from 'dragoman/react'

/** Calls `run` each time the server can be reached again; the returned function stops that. */
export function onReconnect({ connection }: Pick<Client, 'connection'>, run: () => void): () => void {
  let wasOpen = connection.get().state === 'open'
  return connection.subscribe(({ state }) => {
    const isBack = state === 'open' && !wasOpen
    wasOpen = state === 'open'
    if (isBack) run()
  })
}

/** Calls the latest `run` each time the server can be reached again. */
export function useOnReconnect(run: () => void): void {
  const client = useClient()
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => onReconnect(client, () => latest.current()), [client])
}
