import type { Exit } from '../agents/agent.ts'
import type { SessionState } from '../catalogue/session-state.ts'
import type { Event, TranscriptFacts } from '../protocol/event.ts'
import type { ConnectionId, InteractionId } from '../protocol/ids.ts'
import { attribute, type Attributed, type Memory, type Speaker } from './attribute.ts'
import { closeConnections, type Exited } from './close-connections.ts'
import { continuationOf } from './opening.ts'
import type { Ending } from './ending.ts'
import type { Understood } from './understand.ts'

/** What is known of an agent when its words become events. */
export interface Scene extends Speaker {
  readonly state: SessionState
  /** The interaction that this agent serves. */
  readonly serving: InteractionId | null
  /** Whether the journal knows of this connection. */
  readonly announced: boolean
}

/** Makes events of what was understood, in order. Pure but for fresh ids. */
export function tell(before: Memory, scene: Scene, understood: readonly Understood[]): Attributed {
  let memory = remember(before, scene)
  const events = understood.flatMap((item): readonly Event[] => {
    switch (item.type) {
      case 'connected':
        return [tellConnected(scene, item)]
      case 'handed-over':
        return [tellHandover(scene, item)]
      case 'said': {
        const [next, made] = attribute(memory, scene, item)
        memory = next
        return made
      }
      case 'logged':
        return [{ type: 'agent-logged', connection: scene.connection, text: item.text }]
      case 'asked-for-all':
        return []
      case 'exited':
        return tellExit(scene, item.exit)
    }
  })
  return [memory, events]
}

type Of<Type extends Understood['type']> = Extract<Understood, { readonly type: Type }>

function tellConnected({ agent, connection }: Scene, { process, beginning }: Of<'connected'>): Event {
  return { type: 'agent-connected', agent, connection, process, ...continuationOf(beginning) }
}

function tellHandover({ agent, connection }: Scene, { interaction, handover }: Of<'handed-over'>): Event {
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

/** Its words stand in the line that was sent. */
const factsOf = ({ messages, characters, omitted }: TranscriptFacts): TranscriptFacts => ({
  messages,
  characters,
  omitted,
})

/** Who was ended by us and serves nothing has no part in an interaction that waits for its successor. */
function remember(memory: Memory, { state, ending, serving }: Scene): Memory {
  const { pending } = state.summary
  const interaction = state.summary.running?.interaction ?? null
  const running = ending !== null && interaction !== serving ? null : interaction
  const error = running === memory.running ? memory.error : null
  return { ...memory, running, pending, latest: running ?? memory.latest, error }
}

/** The exit comes alone, when all before it is saved, so the state knows everything that is still open. */
function tellExit({ state, serving, announced, ending, connection }: Scene, exit: Exit): readonly Event[] {
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
