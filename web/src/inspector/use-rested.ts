import { useCallback, useEffect, useRef, useState } from 'react'

const restMs = 60

/** A value that follows what it is told only after a moment of rest: what merely passes under the pointer is not shown. */
export function useRested<Value>(first: Value): readonly [value: Value, tell: (value: Value) => void] {
  const [value, set] = useState(first)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const told = useRef(first)
  useEffect(() => () => clearTimeout(timer.current), [])
  const tell = useCallback((next: Value) => {
    if (Object.is(next, told.current)) return
    told.current = next
    clearTimeout(timer.current)
    timer.current = setTimeout(() => set(next), restMs)
  }, [])
  return [value, tell]
}
