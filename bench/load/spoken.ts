import { scripted } from '../../src/agents/scripted/index.ts'
import type { Event } from '../../src/protocol/event.ts'
import type { ConnectionId, InteractionId, SessionId } from '../../src/protocol/ids.ts'
import { opening } from './native-lines.ts'
import { createRandom, randomUuid } from './random.ts'

/** A session, and the function that gets its agent's lines. */
export interface Speech {
  readonly session: SessionId
  /** Parses and translates the next line, as the scripted agent does. */
  readonly hear: (raw: string) => Event
}

const firstWords = `{"type":"${opening}"`

/** The n-th session, always with the same names. When its lines start over, so does the connection. */
export function createSpeech(no: number): Speech {
  const random = createRandom(no + 1)
  const interaction = randomUuid(random) as InteractionId
  let connection = randomUuid(random) as ConnectionId
  let state = scripted.initial(connection)
  return {
    session: randomUuid(random) as SessionId,
    hear(raw) {
      if (raw.startsWith(firstWords)) {
        connection = randomUuid(random) as ConnectionId
        state = scripted.initial(connection)
      }
      const [next, chunks] = scripted.translate(state, { from: 'agent', text: raw })
      state = next
      return { type: 'agent-spoke', interaction, connection, raw, chunks }
    },
  }
}
