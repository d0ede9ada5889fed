import type { Exit } from '../../agents/agent.ts'
import type { SessionState } from '../../catalogue/session-state.ts'
import type { Event, TranscriptFacts } from '../../protocol/event.ts'
import type { ConnectionId, InteractionId } from '../../protocol/ids.ts'
import {
  assignInteraction,
  type AssignedEvents,
  type InteractionOwners,
  type LineSource,
  type TranslatedLine,
} from './assign-interaction.ts'
import { closeConnections, type Exited } from '../own/close-connections.ts'
import { continuationOf } from '../translation/opening.ts'
import type { Ending } from './ending.ts'
import type { ConnectionItem } from './read-connection.ts'

/** What comes from a connection, with the chunks of each line. */
export type TranslatedItem =
  | Exclude<ConnectionItem, { readonly type: 'line' }>
  | ({ readonly type: 'line'; readonly saved?: () => void } & TranslatedLine)

/** What is known of an agent when its output becomes events. */
export interface LineContext extends LineSource {
  readonly state: SessionState
  /** The interaction that this agent serves. */
  readonly serving: InteractionId | null
  /** Whether the journal knows of this connection. */
  readonly announced: boolean
}

/** Makes events of translated items, in order. Pure but for fresh ids. */
export function toEvents(
  before: InteractionOwners,
  context: LineContext,
  items: readonly TranslatedItem[],
): AssignedEvents {
  let owners = withState(before, context)
  const events = items.flatMap((item): readonly Event[] => {
    switch (item.type) {
      case 'connected':
        return [connectedEvent(context, item)]
      case 'handed-over':
        return [handoverEvent(context, item)]
      case 'line': {
        const [next, made] = assignInteraction(owners, context, item)
        owners = next
        return made
      }
      case 'logged':
        return [{ type: 'agent-logged', connection: context.connection, text: item.text }]
      case 'flush':
        return []
      case 'exited':
        return exitEvents(context, item.exit)
    }
  })
  return [owners, events]
}

type Of<Type extends TranslatedItem['type']> = Extract<TranslatedItem, { readonly type: Type }>

function connectedEvent({ agent, connection }: LineContext, { process, beginning }: Of<'connected'>): Event {
  return { type: 'agent-connected', agent, connection, process, ...continuationOf(beginning) }
}

function handoverEvent(
  { agent, connection }: LineContext,
  { interaction, handover }: Of<'handed-over'>,
): Event {
  const { way: how, agentSession, transcript, lost } = handover
  const facts = {
    interaction,
    agent,
    connection,
    how,
    agentSession,
    transcript: transcript && factsOf(transcript),
    ...(lost !== undefined && { lost }),
  }
  return { type: 'conversation-handed-over', ...facts }
}

/** The transcript itself is in the line that was sent. */
const factsOf = ({ messages, characters, omitted }: TranscriptFacts): TranscriptFacts => ({
  messages,
  characters,
  omitted,
})

/** An agent that we ended and that serves nothing takes no part in an interaction that waits for its successor. */
function withState(owners: InteractionOwners, { state, ending, serving }: LineContext): InteractionOwners {
  const { pending } = state.summary
  const interaction = state.summary.running?.interaction ?? null
  const running = ending !== null && interaction !== serving ? null : interaction
  const error = running === owners.running ? owners.error : null
  return { ...owners, running, pending, latest: running ?? owners.latest, error }
}

/** The exit comes alone, when all before it is saved, so the state knows everything that is still open. */
function exitEvents(
  { state, serving, announced, ending, connection }: LineContext,
  exit: Exit,
): readonly Event[] {
  const { code, signal, reason } = exit
  const exited: Exited = { connection, code, signal, reason: ending?.reason ?? reason }
  const isServed = state.summary.running?.interaction === serving
  // A prompt that finds no taker is a consequence of what the exit says.
  const isKnown = ending !== null && !(ending.isRefusal === true && exit.sentence !== undefined)
  const why = isKnown ? ending : ({ outcome: 'failed', reason: exitSentence(exit) } as const)
  const ended = isServed && !hasLostSession(state, connection, ending, exit) ? serving : null
  return closeConnections(state, announced ? [exited] : [], ended, why)
}

/** Whether an agent ended before it continued its own session: the prompt then goes to a new one. */
const hasLostSession = (
  { summary: { resuming } }: SessionState,
  connection: ConnectionId,
  ending: Ending | null,
  { code, signal }: Exit,
): boolean => {
  const isOwnEnd = ending === null && signal === null && code !== 0
  return resuming === connection && (isOwnEnd || ending?.isRefusal === true)
}

function exitSentence({ code, signal, reason, sentence }: Exit): string {
  if (sentence !== undefined) return sentence
  const how =
    signal === null ? (code === null ? 'ended' : `ended with exit code ${code}`) : `was killed by ${signal}`
  const why = reason === null ? '.' : `: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`
  return `The agent ${how} before it finished${why} ${goOn}`
}

const goOn = 'Send another prompt to continue. Run "dragoman doctor" to check the agent.'
