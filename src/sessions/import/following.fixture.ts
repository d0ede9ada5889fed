import { onTestFinished } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { followTranscripts } from './follow-transcripts.ts'
import { messagesIn, wordsOf } from './transcripts.fixture.ts'

/** A house that follows the transcripts of agents in a folder. */
export interface FollowingHouse extends House {
  /** What went wrong, as in the log. */
  readonly reported: readonly string[]
  /** The times up to which everything was imported. */
  readonly done: readonly number[]
  /** What became of each transcript that was read. */
  readonly outcomes: readonly string[]
  /** How often it was asked for a transcript whether it is known. */
  looks(): number
  /** The content of a session's main conversation; nothing without the session. */
  words(session: string): Promise<readonly string[]>
  stop(): Promise<void>
}

/** Opens one that follows since some time; by default, everything that is there. */
export async function openFollowing(
  agents: readonly Agent[],
  folder: string,
  { since = 0, house: given }: { readonly since?: number; readonly house?: House } = {},
): Promise<FollowingHouse> {
  const house = given ?? (await openHouse(agents))
  const stopping = new AbortController()
  const reported: string[] = []
  const done: number[] = []
  const outcomes: string[] = []
  let looks = 0
  const ended = followTranscripts({
    agents: agents.filter(({ importer }) => importer !== undefined),
    placesOf: () => [folder],
    sessions: {
      ...house.sessions,
      async importToFollow(source) {
        const result = await house.sessions.importToFollow(source)
        outcomes.push(result?.outcome ?? 'outdated')
        return result
      },
      isKnown(agent, agentSession) {
        looks += 1
        return house.sessions.isKnown(agent, agentSession)
      },
    },
    dataFolder: `${folder}-data`,
    since,
    done: at => void done.push(at),
    report: (file, reason) => void reported.push(`${file}: ${reason}`),
    now: Date.now,
    stopping: stopping.signal,
  })
  const stop = async () => {
    stopping.abort()
    await ended
  }
  onTestFinished(stop)
  return {
    ...house,
    reported,
    done,
    outcomes,
    looks: () => looks,
    stop,
    async words(session) {
      const entries = await house.entries(session as SessionId).catch(() => [])
      return wordsOf(messagesIn(entries).get(null))
    },
  }
}
