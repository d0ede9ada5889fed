import { fileURLToPath } from 'node:url'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'

/** A prompt in Codex's own form: text, images, and files that it can open by itself. */
export function userInput(parts: readonly PromptPart[]): readonly Json[] {
  return parts.map(part => (part.type === 'text' ? text(part.text) : fileInput(part)))
}

type FilePart = Extract<PromptPart, { readonly type: 'file' }>

const text = (words: string): Json => ({ type: 'text', text: words, text_elements: [] })

function fileInput({ url, mediaType, filename }: FilePart): Json {
  const isImage = mediaType.startsWith('image/')
  if (url.startsWith('file:')) {
    const path = fileURLToPath(url)
    return isImage ? { type: 'localImage', path } : { type: 'mention', name: filename ?? path, path }
  }
  if (isImage) return { type: 'image', url }
  const words = wordsIn(url, mediaType)
  if (words !== null) return text(`${filename ?? 'Attached file'}:\n\n${words}`)
  throw new DragomanError(
    'invalid-input',
    `Codex accepts text and images, not ${mediaType}. Put ${filename ?? 'the file'} into the working folder instead.`,
  )
}

/** The text in a data address; null when it holds something else. */
function wordsIn(url: string, mediaType: string): string | null {
  const comma = url.indexOf(',')
  const isText = mediaType.startsWith('text/') || mediaType === 'application/json'
  if (!isText || !url.startsWith('data:') || comma === -1) return null
  const body = url.slice(comma + 1)
  if (url.slice(0, comma).endsWith(';base64')) return Buffer.from(body, 'base64').toString('utf8')
  try {
    return decodeURIComponent(body)
  } catch {
    // A lone percent sign: what was meant is what stands there.
    return body
  }
}
