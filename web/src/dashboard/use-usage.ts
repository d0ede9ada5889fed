import { useCallback, useEffect, useState } from 'react'
import { useClient } from 'dragoman/react'
import { readUsage, type Usage, type UsageQuery } from 'dragoman/client/usage'
import { useSecondTry } from '../ui/use-second-try.ts'

/** The usage that was last loaded. */
interface Read {
  readonly usage: Usage | null
  readonly problem: string | null
  readonly isReading: boolean
}

/** The same, and how it is read once more. */
export interface UsedUsage extends Read {
  readonly again: () => void
}

/** Loads usage, and again when the user returns to the page. */
export function useUsage({ from, zone, by, demo }: UsageQuery): UsedUsage {
  const client = useClient()
  const [{ of, ...read }, setRead] = useState<Read & { readonly of: string | undefined }>({
    ...nothing,
    of: by,
  })
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound(before => before + 1), [])
  useEffect(() => {
    const leaving = new AbortController()
    setRead(before => ({ ...before, isReading: true }))
    readUsage(client, queryOf({ from, zone, by, demo }), { signal: leaving.signal }).then(
      usage => {
        if (!leaving.signal.aborted) setRead({ of: by, usage, problem: null, isReading: false })
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return
        const problem = error instanceof Error ? error.message : String(error)
        setRead(before => ({ ...before, problem, isReading: false }))
      },
    )
    return () => leaving.abort()
  }, [client, from, zone, by, demo, round])
  useSecondTry(read.problem !== null, again)
  useLookingAgain(again, (read.usage?.unknown.waiting ?? 0) > 0)
  // Data of another grouping is dropped; data of another period stays until the new one arrives.
  return { ...read, usage: of === by ? read.usage : null, again }
}

const nothing: Read = { usage: null, problem: null, isReading: true }

/** Leaves out unset fields. */
const queryOf = (query: { readonly [Name in keyof UsageQuery]: UsageQuery[Name] | undefined }): UsageQuery =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

/** How soon sessions that are being counted are looked for again. */
const soon = 2000

function useLookingAgain(again: () => void, isWaiting: boolean): void {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') again()
    }
    document.addEventListener('visibilitychange', look)
    const timer = isWaiting ? setInterval(look, soon) : undefined
    return () => {
      document.removeEventListener('visibilitychange', look)
      clearInterval(timer)
    }
  }, [again, isWaiting])
}
