import type { Room, RoomOptions } from './room.ts'

/** One thing that the app must do in a real browser. It throws when that is not so. */
export interface Scenario extends RoomOptions {
  readonly play: (room: Room) => Promise<void>
  /** Whether it is skipped in short runs. */
  readonly isLong?: boolean
}

/** Scenarios by what they show. */
export type Scenarios = Readonly<Record<string, Scenario>>
