import { createContext, useCallback, useState } from 'react'

/** Receives 1 when comparing an edit starts, and -1 when it is shown or removed. */
export type CountComparing = (change: 1 | -1) => void

/** Lets a diff report to its container that it is still being compared. */
export const ComparingContext = createContext<CountComparing>(() => {})

/** Whether an edit is being compared below a `ComparingContext` with this counter. */
export function useComparing(): readonly [boolean, CountComparing] {
  const [count, setCount] = useState(0)
  const countComparing = useCallback<CountComparing>(change => setCount(before => before + change), [])
  return [count > 0, countComparing]
}
