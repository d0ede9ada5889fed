import type { Entry } from '../../protocol/entry.ts'

/** How a session is played: the speed factor, and whether pauses are skipped. */
export interface Pace {
  readonly speed: number
  readonly skipsPauses: boolean
}

/** The position of playback: the last entry that is shown, and the time in the session. */
export interface PlayPlace {
  readonly seq: number
  readonly at: number
}

/** The longest that a pause takes when pauses are skipped, in milliseconds for the viewer. */
const longestPause = 400

/** The position after some milliseconds; null at the end. Entries are requested one after another. */
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
    // Clocks may have been set back; later entries are still shown later.
    if (next.at > moment) {
      const soonest = next.at - longestPause * speed
      return { seq: here, at: skipsPauses ? Math.max(moment, soonest) : moment }
    }
    here = next.seq
  }
}
