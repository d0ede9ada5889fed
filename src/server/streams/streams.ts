import type { House } from '../house.ts'
import { createColdPages } from './cold-pages.ts'
import { createLiveStreams, type LiveStreams } from './live-streams.ts'
import { createSessionsChannel, type SessionsChannel } from './sessions-channel.ts'
import { createSharedFrames, type ReadFrame } from './shared-frames.ts'
import { eventFrames, socketFrame } from './wraps.ts'

/** What all streams of a server share. */
export interface Streams extends LiveStreams {
  readonly readEvents: ReadFrame
  readonly readSocketFrame: ReadFrame
  /** Every change of any session. */
  readonly sessions: SessionsChannel
}

/** Begins with no stream. */
export function createStreams(house: Omit<House, 'streams'>): Streams {
  const live = createLiveStreams(house)
  const pages = createColdPages(house.journal)
  return {
    ...live,
    readEvents: createSharedFrames(house.journal, pages, eventFrames),
    readSocketFrame: createSharedFrames(house.journal, pages, socketFrame),
    sessions: createSessionsChannel(house.sessions),
  }
}
