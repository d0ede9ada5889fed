import type { ModelMessage, UserContent } from 'ai'
import type { PromptPart } from '../../protocol/message.ts'

type FilePart = Extract<PromptPart, { readonly type: 'file' }>
type Content = Exclude<UserContent, string>[number]

/** Messages in which files of text are texts: few services take such files, and every model can read. */
export function withTextsRead(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map(message => {
    if (message.role !== 'user' || typeof message.content === 'string') return message
    return { ...message, content: message.content.map(readText) }
  })
}

function readText(part: Content): Content {
  if (part.type !== 'file' || typeof part.data !== 'string' || !isText(part.mediaType)) return part
  return textOf(part.filename, Buffer.from(part.data, 'base64'))
}

const isText = (mediaType: string) =>
  mediaType.startsWith('text/') || /[/+](json|xml|yaml|javascript|toml)$/.test(mediaType)

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
  const data = dataIn(url)
  const name = filename === undefined ? {} : { filename }
  if (data === null) {
    const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    if (!isWeb) return { type: 'text', text: `[${filename ?? mediaType}: ${url}]` }
    return { type: 'file', mediaType, data: new URL(url), ...name }
  }
  if (isText(mediaType)) return textOf(filename, data)
  return { type: 'file', mediaType, data: data.toString('base64'), ...name }
}

/** The bytes in a data URL; null for any other. */
function dataIn(url: string): Buffer | null {
  const [head, isBase64] = /^data:[^,]*?(;base64)?,/i.exec(url) ?? []
  if (head === undefined) return null
  const body = url.slice(head.length)
  return isBase64 === undefined ? Buffer.from(decodeURIComponent(body)) : Buffer.from(body, 'base64')
}
