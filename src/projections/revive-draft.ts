import type { MessagePart } from '../protocol/message.ts'
import { addPart, createDraft, type KeptMessage, type MessageDraft } from './message-draft.ts'
import { createPartialJson } from './partial-json.ts'

/** A draft that continues a kept message, and the indexes of its retracted parts. */
export interface Revived {
  readonly draft: MessageDraft
  readonly retracted: Set<number>
}

/** Makes a draft of a kept message, with every part at the index that it had. */
export function reviveDraft({ message, partIds }: KeptMessage): Revived {
  const draft = createDraft()
  draft.id = message.id
  draft.metadata = message.metadata
  const gone = retractedIn(message.parts)
  const addLost = () => {
    for (let id; (id = gone.get(draft.parts.length)) !== undefined;) {
      // Any part can hold the place of one that does not show; but it must be found by its id.
      const index = addPart(draft, { type: 'step-start' }, id)
      for (const places of [draft.texts, draft.reasonings, draft.calls]) places.set(id, index)
    }
  }
  message.parts.forEach((part, index) => {
    addLost()
    addKept(draft, part, partIds[index] ?? null)
  })
  addLost()
  return { draft, retracted: new Set(gone.keys()) }
}

/** The ids of the retracted parts, by index. */
function retractedIn(parts: readonly MessagePart[]): ReadonlyMap<number, string> {
  const gone = new Map<number, string>()
  for (const part of parts)
    if (part.type === 'data-retracted')
      part.data.ids.forEach((id, index) => gone.set(part.data.indexes[index] ?? -1, id))
  return gone
}

function addKept(draft: MessageDraft, part: MessagePart, id: string | null): void {
  const index = addPart(draft, part, id)
  if (part.type === 'step-start') draft.step = index
  if (part.type === 'dynamic-tool') {
    draft.calls.set(part.toolCallId, index)
    draft.inputs.delete(part.toolCallId)
    if (part.state === 'input-streaming')
      draft.inputs.set(part.toolCallId, {
        json: createPartialJson(part.rawInput as string | undefined),
        stale: false,
      })
  }
  if (id === null) return
  if (part.type === 'text') draft.texts.set(id, index)
  if (part.type === 'reasoning') draft.reasonings.set(id, index)
  if (part.type.startsWith('data-')) draft.data.set(`${part.type} ${id}`, index)
}
