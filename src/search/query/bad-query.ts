import { DragomanError } from '../../protocol/error.ts'

/** A query that cannot be understood, with a sentence that says what to do. */
export const badQuery = (message: string): DragomanError => new DragomanError('invalid-input', message)
