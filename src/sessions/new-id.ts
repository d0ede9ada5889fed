import { uuidV7, type NewId } from '../protocol/ids.ts'

/** Creates ids from a clock and random bytes: UUID v7, which sorts by time. */
export const createNewId =
  (now: () => number = Date.now): NewId =>
  <Kind extends string>() =>
    uuidV7(now(), crypto.getRandomValues(new Uint8Array(10))) as Kind
