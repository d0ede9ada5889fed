import type { Call } from './block.ts'

/** The blocks of a line of a transcript, or that the conversation was compacted. */
export type Line =
  | { readonly type: 'compacted' }
  | { readonly type: 'person'; readonly uuid: string; readonly at: number; readonly said: readonly Heard[] }
  | {
      readonly type: 'model'
      readonly uuid: string
      readonly at: number
      readonly id: string
      readonly said: readonly Heard[]
    }

/** One block of a message, not yet at its place. */
export type Heard =
  | { readonly kind: 'user' | 'text' | 'file'; readonly content: string }
  | { readonly kind: 'thinking'; readonly content: string; readonly signature: string }
  | { readonly kind: 'call'; readonly content: string; readonly call: Call }
  | { readonly kind: 'result'; readonly content: string; readonly callId: string; readonly isError: boolean }

type Words = Readonly<Record<string, unknown>>

const isWords = (value: unknown): value is Words =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Reads a line. Null is a line that no model saw: bookkeeping, a side chain, a message made up by the program.
 * Throws a SyntaxError when it is not JSON.
 */
export function readLine(text: string): Line | null {
  const words: unknown = JSON.parse(text)
  if (!isWords(words)) return null
  if (words['type'] === 'system')
    return words['subtype'] === 'compact_boundary' ? { type: 'compacted' } : null
  const { message } = words
  if (words['isSidechain'] === true || !isWords(message) || message['model'] === '<synthetic>') return null
  const uuid = textOf(words['uuid'])
  const at = Date.parse(textOf(words['timestamp']))
  if (words['type'] === 'user') return { type: 'person', uuid, at, said: heard(message['content'], 'user') }
  if (words['type'] !== 'assistant') return null
  return {
    type: 'model',
    uuid,
    at,
    id: textOf(message['id']) || uuid,
    said: heard(message['content'], 'text'),
  }
}

function heard(content: unknown, kind: 'user' | 'text'): readonly Heard[] {
  if (typeof content === 'string') return [{ kind, content }]
  return Array.isArray(content) ? content.filter(isWords).flatMap(block => heardIn(block, kind)) : []
}

function heardIn(block: Words, kind: 'user' | 'text'): readonly Heard[] {
  switch (block['type']) {
    case 'text':
      return [{ kind, content: textOf(block['text']) }]
    case 'thinking':
      return [{ kind: 'thinking', content: textOf(block['thinking']), signature: textOf(block['signature']) }]
    case 'tool_use':
      return callIn(block)
    case 'tool_result':
      return [
        {
          kind: 'result',
          content: resultText(block['content']),
          callId: textOf(block['tool_use_id']),
          isError: block['is_error'] === true,
        },
      ]
    case 'image':
    case 'document':
      // The counting rule knows only characters that are read; a picture has none.
      return [{ kind: 'file', content: '' }]
  }
  return []
}

function callIn({ id, name, input }: Words): readonly Heard[] {
  const call: Call = { id: textOf(id), tool: textOf(name), input: isWords(input) ? input : {} }
  return [{ kind: 'call', content: JSON.stringify(call.input), call }]
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap(part => (isWords(part) && part['type'] === 'text' ? [textOf(part['text'])] : []))
    .join('\n')
}
