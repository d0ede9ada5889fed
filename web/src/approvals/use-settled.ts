import { useEffect, useState } from 'react'

/** How long something must have stood there before it can be answered. */
const calmMs = 400

/**
 * Whether a question has stood there long enough that a click is meant for it: what takes the place of another under somebody's
 * finger must not be answered by a second tap.
 */
export function useSettled(question: string | null): boolean {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(question), calmMs)
    return () => clearTimeout(timer)
  }, [question])
  return settled === question
}
