import type { Item } from './item.ts'

/** What is open where the client's message ends. */
interface Open {
  readonly words: Set<string>
  readonly inputs: Set<string>
}

/**
 * Leaves out the part of a message that the client already had when it answered an approval. Text that was open at that
 * point continues as a new part. For an open input, only its end is sent.
 */
export function createContinuation(approval: string): (item: Item) => readonly Item[] {
  const open: Open = { words: new Set(), inputs: new Set() }
  let start: Item | null = null
  let isAsked = false
  return item => {
    if (isAsked) return goOn(open, item)
    remember(open, item)
    if (item.type === 'start') start = { type: 'start', messageId: item.messageId }
    isAsked = item.type === 'tool-approval-request' && item.approvalId === approval
    return isAsked && start !== null ? [start] : []
  }
}

function remember({ words, inputs }: Open, item: Item): void {
  if (item.type === 'text-start' || item.type === 'reasoning-start') words.add(`${kindOf(item)} ${item.id}`)
  if (item.type === 'text-end' || item.type === 'reasoning-end') words.delete(`${kindOf(item)} ${item.id}`)
  if (item.type === 'tool-input-start') inputs.add(item.toolCallId)
  if (item.type === 'tool-input-available' || item.type === 'tool-input-error') inputs.delete(item.toolCallId)
}

const kindOf = ({ type }: Item) => (type.startsWith('text') ? 'text' : 'reasoning')

function goOn({ words, inputs }: Open, item: Item): readonly Item[] {
  if (item.type === 'tool-input-delta') return inputs.has(item.toolCallId) ? [] : [item]
  if (!/^(text|reasoning)-(delta|end)$/.test(item.type) || !('id' in item) || item.id === undefined)
    return [item]
  const kind = kindOf(item)
  if (!words.delete(`${kind} ${item.id}`)) return [item]
  return item.type.endsWith('-end') ? [] : [{ type: `${kind}-start`, id: item.id }, item]
}
