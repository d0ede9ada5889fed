import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'

/** What an agent accepts in a prompt in addition to text and links. */
export interface PromptAbilities {
  readonly image: boolean
  readonly audio: boolean
  readonly embeddedContext: boolean
}

type FilePart = Extract<PromptPart, { readonly type: 'file' }>

/** A prompt as content blocks, as far as the agent accepts them. */
export function promptContent(parts: readonly PromptPart[], can: PromptAbilities): readonly Json[] {
  return parts.map(part =>
    part.type === 'text' ? { type: 'text', text: part.text } : fileContent(part, can),
  )
}

function fileContent(part: FilePart, can: PromptAbilities): Json {
  const { url, mediaType, filename } = part
  const data = dataIn(url)
  if (data === null) {
    const name = filename ?? (url.split(/[?#]/)[0] ?? url).split('/').findLast(Boolean) ?? url
    return { type: 'resource_link', uri: url, name, mimeType: mediaType }
  }
  const [kind] = mediaType.split('/')
  if (kind === 'image' || kind === 'audio') {
    if (!can[kind])
      throw refusal(`This agent does not accept ${kind === 'image' ? 'images' : 'audio'} in a prompt.`)
    return { type: kind, mimeType: mediaType, data: data.toString('base64') }
  }
  return resourceContent(data, mediaType, filename ?? 'attachment', can)
}

function resourceContent(data: Buffer, mimeType: string, name: string, can: PromptAbilities): Json {
  const isText = mimeType.startsWith('text/') || /[/+](json|xml|yaml|javascript|toml)$/.test(mimeType)
  const uri = `attachment:///${encodeURIComponent(name)}`
  if (can.embeddedContext) {
    const content = isText ? { text: data.toString('utf8') } : { blob: data.toString('base64') }
    return { type: 'resource', resource: { uri, mimeType, ...content } }
  }
  if (isText) return { type: 'text', text: `${name}:\n${data.toString('utf8')}` }
  throw refusal(
    `This agent does not accept files such as ${name} in a prompt. Put the file into the session folder and mention its name.`,
  )
}

/** The bytes in a data URL; null for any other URL. */
function dataIn(url: string): Buffer | null {
  const [head, isBase64] = /^data:[^,]*?(;base64)?,/i.exec(url) ?? []
  if (head === undefined) return null
  const body = url.slice(head.length)
  return isBase64 === undefined ? Buffer.from(decodeURIComponent(body)) : Buffer.from(body, 'base64')
}

const refusal = (message: string) => new DragomanError('invalid-input', message)
