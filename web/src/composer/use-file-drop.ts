import { useEffect, useRef, useState } from 'react'
import { filesIn } from './read-file.ts'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true

/**
 * Accepts files dropped anywhere on the page, and reports whether some are being dragged over it. Otherwise the
 * browser would leave the page to show them.
 */
export function useFileDrop(take: ((files: readonly File[]) => void) | null): boolean {
  const [isOver, setOver] = useState(false)
  const taker = useRef(take)
  useEffect(() => {
    taker.current = take
  })
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = taker.current === null ? 'none' : 'copy'
      setOver(taker.current !== null)
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      taker.current?.(filesIn(event.dataTransfer, { wordsFirst: false }))
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
