import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'

/** A prompt in OpenCode's own form; it opens files by URL, and reads data URLs. */
export function promptParts(parts: readonly PromptPart[]): readonly Json[] {
  return parts.map(part => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const { url, mediaType: mime, filename } = part
    return { type: 'file', mime, url, ...(filename === undefined ? {} : { filename }) }
  })
}
