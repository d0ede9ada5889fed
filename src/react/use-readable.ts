import { useSyncExternalStore } from 'react'
import type { Readable } from '../client/readable.ts'

/** The value of a readable; the component is rendered again only when it is another. */
export const useReadable = <Value>({ subscribe, get }: Readable<Value>): Value =>
  useSyncExternalStore(subscribe, get, get)
