import { useEffect, useState } from 'react'

const minuteMs = 60_000
const startOfMinute = () => Math.floor(Date.now() / minuteMs) * minuteMs

/** The time, to the minute; after a sleep of the machine, too. */
export function useMinute(): number {
  const [now, set] = useState(startOfMinute)
  useEffect(() => {
    const timer = setInterval(() => set(startOfMinute()), minuteMs / 4)
    return () => clearInterval(timer)
  }, [])
  return now
}
