import { useEffect, useState } from 'react'

const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0)

/** The beginning of this day; after midnight, and after a sleep of the machine, that of the next. */
export function useToday(): number {
  const [today, set] = useState(() => startOfDay(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => set(startOfDay(Date.now())), 60_000)
    return () => clearInterval(timer)
  }, [])
  return today
}
