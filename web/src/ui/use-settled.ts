import { useEffect, useState } from 'react'

/** A value once it has stayed the same for a moment. */
export function useSettled(value: string, pause: number): string {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return settled
}
