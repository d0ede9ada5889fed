import { useEffect } from 'react'
import { useWaiting } from '../session-summary/use-faces.ts'
import { usePlaceName, windowTitle } from './page-name.ts'

/** Keeps the title of the window; shows nothing. */
export function WindowTitle(): null {
  const title = windowTitle(usePlaceName(), useWaiting())
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}
