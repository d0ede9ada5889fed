import type { ShownMessage } from 'dragoman/client'

const shown = 120

/** The start of the prompt of an interaction; null where it is not loaded, or has no text. */
export function promptWords(messages: readonly ShownMessage[], interaction: string): string | null {
  const asked = messages.find(each => each.interaction === interaction && each.message.role === 'user')
  const text = asked?.message.parts.flatMap(part => (part.type === 'text' ? part.text : [])).join(' ')
  if (text === undefined || text.trim() === '') return null
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > shown ? `${line.slice(0, shown)} …` : line
}
