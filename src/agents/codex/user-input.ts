import { fileURLToPath } from 'node:url'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'

/** A prompt in Codex's own form: text, images, and files that Codex can open. */
export function userInput(parts: readonly PromptPart[]): readonly Json[] {
  return parts.map(part => (part.type === 'text' ? textItem(part.text) : fileInput(part)))
}

type FilePart = Extract<PromptPart, { readonly type: 'file' }>

const textItem = (text: string): Json => ({ type: 'text', text, text_elements: [] })

function fileInput({ url, mediaType, filename }: FilePart): Json {
  const isImage = mediaType.startsWith('image/')
  if (url.startsWith('file:')) {
    const path = fileURLToPath(url)
    return isImage ? { type: 'localImage', path } : { type: 'mention', name: filename ?? path, path }
  }
  if (isImage) return { type: 'image', url }
  const content = textIn(url, mediaType)
  if (content !== null) return textItem(`${filename ?? 'Attached file'}:\n\n${content}`)
  throw new DragomanError(
    'invalid-input',
    `Codex accepts text and images, not ${mediaType}. Put ${filename ?? 'the file'} into the working folder instead.`,
  )
}

/** The text in a data URL; null if it has other content. */
function textIn(url: string, mediaType: string): string | null {
  const comma = url.indexOf(',')
  const isText = mediaType.startsWith('text/') || mediaType === 'application/json'
  if (!isText || !url.startsWith('data:') || comma === -1) return null
  const body = url.slice(comma + 1)
  if (url.slice(0, comma).endsWith(';base64')) return Buffer.from(body, 'base64').toString('utf8')
  try {
    return decodeURIComponent(body)
  } catch {
    // A single percent sign that is not an escape: use the text as it is.
    return body
  }
}
