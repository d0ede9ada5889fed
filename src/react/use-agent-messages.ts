import type { Outgoing } from '../client/outbox/outgoing.ts'
import type { Session } from '../client/session.ts'
import type { Message } from '../protocol/message.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

/** A conversation as a component sees it. */
export interface AgentMessages extends Pick<Session, 'prompt' | 'loadOlder'> {
  /** AI SDK UI messages; those that did not change are the same objects as before. */
  readonly messages: readonly Message[]
  /** Prompts that are not in the session yet: unsent, being sent, refused. */
  readonly outbox: readonly Outgoing[]
  readonly hasOlder: boolean
}

/** The messages of a session, live. */
export function useAgentMessages(id: string): AgentMessages {
  const session = useClient().session(id)
  const { prompt, loadOlder } = session
  return {
    messages: useReadable(session.messages),
    outbox: useReadable(session.outbox),
    hasOlder: useReadable(session.hasOlder),
    prompt,
    loadOlder,
  }
}
