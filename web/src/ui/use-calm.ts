import { useEffect, useState } from 'react'

/** How long an element must have been visible before it reacts to clicks. */
const calmMs = 400

/**
 * Whether an element, identified by its key, has been visible long enough for a click to be intended: a second
 * tap must not hit what just replaced its target.
 */
export function useCalm(key: string | null): boolean {
  const [calm, setCalm] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setCalm(key), calmMs)
    return () => clearTimeout(timer)
  }, [key])
  return calm === key
}
