import type { Journal } from '../../journal/journal.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import { createColdPages } from './cold-pages.ts'
import { createLiveStreams, type LiveStreamParts, type LiveStreams } from './live-streams.ts'
import { createSessionsChannel, type SessionsChannel } from './sessions-channel.ts'
import {
  createLagMeter,
  createSharedFrames,
  eventFrames,
  socketFrame,
  type Frame,
  type ReadFrame,
} from './shared-frames.ts'

/** What all streams of a server share. */
export interface Streams extends LiveStreams {
  readonly readEvents: ReadFrame
  readonly readSocketFrame: ReadFrame
  /** Called with each frame of new entries that is sent to a client. */
  readonly measureLag: (frame: Frame) => void
  /** Every change of any session. */
  readonly sessions: SessionsChannel
}

/** What streams need from the server. */
interface StreamParts extends LiveStreamParts {
  readonly journal: Journal
  readonly sessions: Sessions
}

/** Starts without any stream. */
export function createStreams(parts: StreamParts): Streams {
  const live = createLiveStreams(parts)
  const pages = createColdPages(parts.journal)
  return {
    ...live,
    readEvents: createSharedFrames(parts.journal, pages, eventFrames),
    readSocketFrame: createSharedFrames(parts.journal, pages, socketFrame),
    measureLag: createLagMeter(parts.metrics, parts.now),
    sessions: createSessionsChannel(parts.sessions),
  }
}
