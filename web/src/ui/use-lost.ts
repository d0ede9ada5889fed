import type { Client, ConnectionState, Readable } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'
import { useReadable } from 'dragoman/react'

/** Whether the way to the server was there, or was tried, and is not. */
export const isLost = ({ state, problem }: Pick<ConnectionState, 'state' | 'problem'>): boolean =>
  state === 'waiting' || (state === 'connecting' && problem !== null)

/** How long a connection loss must last before it is shown; most are shorter. */
export const patience = 800

const lossOf = new WeakMap<Client, Readable<number | null>>()
const never: Readable<null> = { get: () => null, subscribe: () => () => {} }

/** When the live connection was lost; null while it is there, or was lost only a moment ago. All see the same. */
export function useLost(client: Client | null): number | null {
  return useReadable<number | null>(client === null ? never : lostSince(client))
}

function lostSince(client: Client): Readable<number | null> {
  const known = lossOf.get(client) ?? watchLoss(client.connection)
  lossOf.set(client, known)
  return known
}

/** When a connection was lost, once that has lasted for a while. */
export function watchLoss(connection: Readable<ConnectionState>): Readable<number | null> {
  let leave = () => {}
  const since = createWritable<number | null>(null, {
    came() {
      let timer: ReturnType<typeof setTimeout> | undefined
      let wasLost = false
      const stop = connection.subscribe(now => {
        if (isLost(now) === wasLost) return
        wasLost = !wasLost
        clearTimeout(timer)
        const at = Date.now()
        if (wasLost) timer = setTimeout(() => since.set(at), patience)
        else since.set(null)
      })
      leave = () => {
        clearTimeout(timer)
        stop()
      }
    },
    left() {
      leave()
      since.set(null)
    },
    lingerMs: 0,
  })
  return since
}
