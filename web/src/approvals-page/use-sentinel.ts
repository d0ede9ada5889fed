import { useEffect, useRef, type RefObject } from 'react'

/** Calls `reach` whenever an element comes into view, as long as it is wanted. */
export function useSentinel(wanted: boolean, reach: () => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(reach)
  useEffect(() => {
    latest.current = reach
  })
  useEffect(() => {
    const watched = element.current
    if (!wanted || watched === null) return
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting === true && latest.current(),
      { rootMargin: '400px' },
    )
    observer.observe(watched)
    return () => observer.disconnect()
  })
  return element
}
