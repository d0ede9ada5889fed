import type { OwnedSessions } from '../own/owned-sessions.ts'
import {
  importAdded,
  importToFollow,
  importTranscript,
  type Continuation,
  type Followed,
  type Imported,
  type TranscriptSource,
} from './import-transcript.ts'
import { hasUnnamedRun, isKnown } from './known-sessions.ts'
import type { SessionId } from '../../protocol/ids.ts'

/** Transcripts that agents write themselves become sessions. */
export interface ImportingSessions {
  /** Imports an agent's transcript as a session, or adds what is new in it. */
  import(source: TranscriptSource): Promise<Imported>
  /**
   * Imports a transcript that will be followed or, with the end of its last import, the lines that were added since then. Null if the
   * session was changed meanwhile: import all of the transcript.
   */
  importToFollow(source: FollowedSource): Promise<Followed | null>
  /** Whether an agent's own session is a session here, imported or not. */
  isKnown(agent: string, agentSession: string): Promise<boolean>
  /** Whether a running agent has not reported the id of its session yet. */
  hasUnnamedRun(): boolean
  /** Whether an agent writes a session in its own terminal at the moment. */
  isInTerminal(session: SessionId): boolean
}

/** A followed transcript, when it changed, and the end of its last import. */
export interface FollowedSource extends TranscriptSource {
  readonly changedAt: number
  readonly from: Continuation | null
}

/** Imports one transcript of a session after the other: two at once would add the same lines twice. */
export function createImporting(sessions: OwnedSessions): ImportingSessions {
  const turns = new Map<string, Promise<unknown>>()
  const inTurn = <Result>({ transcript }: TranscriptSource, work: () => Promise<Result>): Promise<Result> => {
    const { agentSession } = transcript
    const turn = (turns.get(agentSession) ?? Promise.resolve()).then(work, work)
    turns.set(agentSession, turn)
    return turn.finally(() => {
      if (turns.get(agentSession) === turn) turns.delete(agentSession)
    })
  }
  const { terminals } = sessions.host
  return {
    import: source => inTurn(source, () => importTranscript(sessions, source)),
    importToFollow: ({ from, changedAt, ...source }) =>
      inTurn(source, async () => {
        const done =
          from === null
            ? await importToFollow(sessions, source)
            : await importAdded(sessions, { ...source, continuation: from })
        if (done !== null && done.lines > 0) terminals.wrote(done.session, changedAt)
        return done
      }),
    isKnown: (agent, agentSession) => isKnown(sessions, agent, agentSession),
    hasUnnamedRun: () => hasUnnamedRun(sessions),
    isInTerminal: session => terminals.isWriting(session),
  }
}
