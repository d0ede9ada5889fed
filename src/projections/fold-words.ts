import type { ProviderMetadata } from '../protocol/chunk.ts'
import type { MessagePart } from '../protocol/message.ts'
import { addPart, replacePart, type MessageDraft } from './message-draft.ts'

type Kind = 'text' | 'reasoning'
type Words = Extract<MessagePart, { readonly type: Kind }>

interface WordsChunk {
  readonly id: string
  readonly providerMetadata?: ProviderMetadata
}

const indexOf = (draft: MessageDraft, kind: Kind) => (kind === 'text' ? draft.texts : draft.reasonings)

/** Opens a part of text or reasoning. */
export function startWords(draft: MessageDraft, kind: Kind, chunk: WordsChunk): void {
  const part: Words = {
    type: kind,
    // On a client reasoning keeps its id, text does not.
    ...(kind === 'reasoning' && { id: chunk.id }),
    text: '',
    ...(chunk.providerMetadata !== undefined && { providerMetadata: chunk.providerMetadata }),
    state: 'streaming',
  }
  indexOf(draft, kind).set(chunk.id, addPart(draft, part, chunk.id))
}

/** Adds to an open part of text or reasoning; words for a part that is not open are passed over. */
export function addWords(
  draft: MessageDraft,
  kind: Kind,
  chunk: WordsChunk & { readonly delta: string },
): void {
  change(draft, kind, chunk, part => ({ ...part, text: part.text + chunk.delta }))
}

/** Closes a part of text or reasoning. */
export function endWords(draft: MessageDraft, kind: Kind, chunk: WordsChunk): void {
  change(draft, kind, chunk, part => ({ ...part, state: 'done' }))
}

function change(draft: MessageDraft, kind: Kind, chunk: WordsChunk, next: (part: Words) => Words): void {
  const index = indexOf(draft, kind).get(chunk.id)
  if (index === undefined) return
  const part = draft.parts[index]
  if (part?.type !== kind || part.state !== 'streaming') return
  const changed = next(part)
  const { providerMetadata } = chunk
  replacePart(draft, index, providerMetadata === undefined ? changed : { ...changed, providerMetadata })
}
