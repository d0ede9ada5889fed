import { DragomanError } from '../protocol/error.ts'
import type { House } from './house.ts'

/** Refuses to begin anything when the server is about to end. */
export function refuseWhenDraining({ draining }: Pick<House, 'draining'>): void {
  if (!draining.aborted) return
  throw endingError()
}

/** The error for a server that is about to end. */
export const endingError = (): DragomanError =>
  new DragomanError('draining', 'The server is ending. Send this again when it is back.')
