import type { ModelMessage, UserContent } from 'ai'
import { isTextType, parseDataUrl } from '../../protocol/data-url.ts'
import type { PromptPart } from '../../protocol/message.ts'

type FilePart = Extract<PromptPart, { readonly type: 'file' }>
type Content = Exclude<UserContent, string>[number]

/** Messages in which text files are texts: few services accept such files, and every model can read text. */
export function withTextsRead(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map(message => {
    if (message.role !== 'user' || typeof message.content === 'string') return message
    return { ...message, content: message.content.map(readText) }
  })
}

function readText(part: Content): Content {
  if (part.type !== 'file' || typeof part.data !== 'string' || !isTextType(part.mediaType)) return part
  if (/^https?:/i.test(part.data)) return part
  return textOf(part.filename, Buffer.from(part.data, 'base64'))
}

const textOf = (name: string | undefined, data: Buffer): Content => ({
  type: 'text',
  text: `${name ?? 'attachment'}:\n${data.toString('utf8')}`,
})

/** A prompt as a message of the AI SDK. */
export function promptMessage(parts: readonly PromptPart[]): ModelMessage {
  const content = parts.map(part =>
    part.type === 'text' ? ({ type: 'text', text: part.text } as const) : fileContent(part),
  )
  return { role: 'user', content }
}

function fileContent({ url, mediaType, filename }: FilePart): Content {
  const held = parseDataUrl(url)
  const name = filename === undefined ? {} : { filename }
  if (held === null) {
    if (/^data:/i.test(url))
      return { type: 'text', text: `[${filename ?? mediaType}: its data cannot be read.]` }
    const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    if (!isWeb) return { type: 'text', text: `[${filename ?? mediaType}: ${url}]` }
    return { type: 'file', mediaType, data: new URL(url), ...name }
  }
  if (isTextType(mediaType)) return textOf(filename, Buffer.from(held.data, 'base64'))
  return { type: 'file', mediaType, data: held.data, ...name }
}
