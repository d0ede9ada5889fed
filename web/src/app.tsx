import type { ReactElement } from 'react'
import { usePlace } from './places.ts'
import { Empty } from './ui/empty.tsx'

/** The frame of the app: what is shown depends on where the person is. */
export function App(): ReactElement {
  const place = usePlace()
  return <Empty title={`Here will be: ${place.page}`} />
}
