import { useEffect, useState } from 'react'

/** How long something must have stood there before it can be pressed. */
const calmMs = 400

/**
 * Whether something, told by its key, has stood there long enough that a click is meant for it: what takes the place of another
 * under somebody's finger must not be pressed by a second tap.
 */
export function useCalm(key: string | null): boolean {
  const [calm, setCalm] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setCalm(key), calmMs)
    return () => clearTimeout(timer)
  }, [key])
  return calm === key
}
