import type { Entry } from '../../protocol/entry.ts'

/** How a session is played: so many times as fast as it was, and perhaps without the pauses in it. */
export interface Pace {
  readonly speed: number
  readonly skipsPauses: boolean
}

/** Where the playing is: the last entry that is shown, and the moment of the session that it is. */
export interface PlayPlace {
  readonly seq: number
  readonly at: number
}

/** The longest that a pause takes when pauses are skipped, in milliseconds for the viewer. */
const longestPause = 400

/** Where the playing is after some milliseconds; null at the end. Entries are asked for one after another. */
export async function playOn(
  { seq, at }: PlayPlace,
  elapsed: number,
  { speed, skipsPauses }: Pace,
  entryAt: (seq: number) => Promise<Entry | undefined>,
): Promise<PlayPlace | null> {
  let [here, moment] = [seq, at + elapsed * speed]
  for (;;) {
    const next = await entryAt(here + 1)
    if (next === undefined) return here === seq ? null : { seq: here, at: moment }
    // Clocks may have been set back; what came later is shown later.
    if (next.at > moment) {
      const soonest = next.at - longestPause * speed
      return { seq: here, at: skipsPauses ? Math.max(moment, soonest) : moment }
    }
    here = next.seq
  }
}
