import { toolOf } from '../protocol/tool-call/call.ts'
import { resourcesOf } from '../protocol/tool-call/resources.ts'
import type { Message, Part } from './formats/conversation.ts'
import type { History, HistoryMessage, ToolPair } from './history.ts'
import { emptyLedger, type Ledger } from './ledger.ts'

/** The folder and agent of a conversation; the meaning of its tool calls depends on them. */
export interface HistoryOrigin {
  readonly session: string
  readonly agent?: string | null
  readonly cwd?: string | null
  readonly system?: readonly Part[]
}

/** The position of a message. */
export type MessagePlace = Pick<HistoryMessage, 'interaction' | 'at' | 'step'>

/** A history that messages are added to. */
export interface HistoryDraft {
  add(message: Message, place: MessagePlace): void
  view(ledger?: Ledger): History
}

/** Creates a history without messages. */
export function createHistory(origin: HistoryOrigin): HistoryDraft {
  const messages: HistoryMessage[] = []
  return {
    add: (message, place) => void messages.push(placeMessage(origin, message, place)),
    view: (ledger = emptyLedger) => ({
      session: origin.session,
      system: origin.system ?? [],
      messages: messages.slice(),
      ledger,
    }),
  }
}

/** Adds a message, with the tool pairs whose calls are in it. */
export function placeMessage(
  origin: Pick<HistoryOrigin, 'agent' | 'cwd'>,
  message: Message,
  place: MessagePlace,
): HistoryMessage {
  const pairs = message.parts.flatMap(part => pairOf(origin, part, place))
  return { message, ...place, pairs }
}

function pairOf(
  { agent = null, cwd = null }: Pick<HistoryOrigin, 'agent' | 'cwd'>,
  part: Part,
  { interaction, step }: MessagePlace,
): readonly ToolPair[] {
  if (part.kind !== 'call') return []
  const call = { tool: part.tool, input: part.input, agent, cwd }
  const { family, owner, effect } = toolOf(call)
  const resources = resourcesOf(call)
  return [
    {
      call: part.id,
      callId: part.call,
      tool: part.tool,
      family,
      owner,
      effect,
      resources,
      interaction,
      step,
    },
  ]
}
