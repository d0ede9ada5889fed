import type { MessagePart } from '../protocol/message.ts'
import { addPart, createDraft, type KeptMessage, type MessageDraft } from './message-draft.ts'
import { createPartialJson } from './partial-json.ts'

/** A draft in which a kept message can go on, and where the parts stand that are not shown in it. */
export interface Revived {
  readonly draft: MessageDraft
  readonly retracted: Set<number>
}

/** Takes a kept message up again where it was left: what comes next finds every part where it would have stood. */
export function reviveDraft({ message, partIds }: KeptMessage): Revived {
  const draft = createDraft()
  draft.id = message.id
  draft.metadata = message.metadata
  const gone = retractedIn(message.parts)
  const addAllLost = () => {
    for (let lost; (lost = gone.get(draft.parts.length)) !== undefined;) addLost(draft, lost)
  }
  for (const [index, part] of message.parts.entries()) {
    addAllLost()
    addKept(draft, part, partIds[index] ?? null)
  }
  addAllLost()
  return { draft, retracted: new Set(gone.keys()) }
}

/** The ids of the parts that were taken back, by where they stood. */
function retractedIn(parts: readonly MessagePart[]): ReadonlyMap<number, string> {
  const gone = new Map<number, string>()
  for (const part of parts)
    if (part.type === 'data-retracted')
      part.data.ids.forEach((id, index) => gone.set(part.data.indexes[index] ?? -1, id))
  return gone
}

/** Nobody sees what was taken back, so that any part can hold its place; but it must be found by its id. */
function addLost(draft: MessageDraft, id: string): void {
  const index = addPart(draft, { type: 'step-start' }, id)
  for (const places of [draft.texts, draft.reasonings, draft.calls]) places.set(id, index)
}

function addKept(draft: MessageDraft, part: MessagePart, id: string | null): void {
  const index = addPart(draft, part, id)
  if (part.type === 'step-start') draft.step = index
  if (part.type === 'dynamic-tool') {
    draft.calls.set(part.toolCallId, index)
    draft.inputs.delete(part.toolCallId)
    if (part.state === 'input-streaming') draft.inputs.set(part.toolCallId, arriving(part.rawInput))
  }
  if (id === null) return
  if (part.type === 'text') draft.texts.set(id, index)
  if (part.type === 'reasoning') draft.reasonings.set(id, index)
  if (part.type.startsWith('data-')) draft.data.set(`${part.type} ${id}`, index)
}

function arriving(streamed: unknown) {
  const json = createPartialJson()
  json.push(typeof streamed === 'string' ? streamed : '')
  return { json, stale: false }
}
