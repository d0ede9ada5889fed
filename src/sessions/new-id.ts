import { uuidV7, type NewId } from '../protocol/ids.ts'

/** Makes ids from a clock and chance: UUID v7, so that they sort by the time they were made. */
export const createNewId =
  (now: () => number = Date.now): NewId =>
  <Kind extends string>() =>
    uuidV7(now(), crypto.getRandomValues(new Uint8Array(10))) as Kind
