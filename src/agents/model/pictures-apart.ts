import type { FilePart, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai'
import { isTextType } from '../../protocol/data-url.ts'
import { objectOf, textOf, type Fields } from '../kit/fields.ts'

type Result = Extract<ToolModelMessage['content'][number], { readonly type: 'tool-result' }>

/** How many characters of images from tools one request holds; the newest come first. */
const mostPictures = 16 * 1024 * 1024

/**
 * Messages for an API whose results hold only text: an image from a tool follows in a message of the user, and what
 * cannot be shown is mentioned. Otherwise it would be sent as the text of its bytes.
 */
export function withPicturesApart(
  messages: readonly ModelMessage[],
  takesPictures: boolean,
): readonly ModelMessage[] {
  const shown = takesPictures ? newestPictures(messages) : new Set<Fields>()
  const arranged: ModelMessage[] = []
  let pictures: FilePart[] = []
  const show = () => {
    const text = 'What the tools just gave:'
    if (pictures.length > 0) arranged.push({ role: 'user', content: [{ type: 'text', text }, ...pictures] })
    pictures = []
  }
  for (const message of messages) {
    if (message.role !== 'tool') show()
    if (message.role === 'user' && !takesPictures) arranged.push(mentionedOnly(message))
    else if (message.role !== 'tool') arranged.push(message)
    else {
      pictures.push(
        ...piecesOf(message)
          .filter(piece => shown.has(piece))
          .map(pictureOf),
      )
      arranged.push(asText(message, shown))
    }
  }
  show()
  return arranged
}

const resultsOf = ({ content }: ToolModelMessage): readonly Result[] =>
  content.filter(part => part.type === 'tool-result')

const piecesOf = (message: ToolModelMessage): readonly Fields[] =>
  resultsOf(message).flatMap(({ output }) => (output.type === 'content' ? (output.value as never) : []))

const dataOf = (piece: Fields) => textOf(piece, 'data') || textOf(objectOf(piece, 'data'), 'data')
const urlOf = (piece: Fields) => textOf(piece, 'url') || textOf(objectOf(piece, 'data'), 'url')

function newestPictures(messages: readonly ModelMessage[]): ReadonlySet<Fields> {
  const shown = new Set<Fields>()
  let room = mostPictures
  for (const message of messages.toReversed())
    for (const piece of message.role === 'tool' ? piecesOf(message).toReversed() : []) {
      const length = dataOf(piece).length + urlOf(piece).length
      if (!textOf(piece, 'mediaType').startsWith('image/') || length === 0 || length > room) continue
      room -= length
      shown.add(piece)
    }
  return shown
}

function pictureOf(piece: Fields): FilePart {
  const data = dataOf(piece)
  return {
    type: 'file',
    mediaType: textOf(piece, 'mediaType'),
    data: data === '' ? new URL(urlOf(piece)) : data,
  }
}

function asText(message: ToolModelMessage, shown: ReadonlySet<Fields>): ToolModelMessage {
  const content = message.content.map(part => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const texts = part.output.value.map(piece => pieceText(piece as Fields, shown))
    return { ...part, output: { type: 'text', value: texts.join('\n') } as const }
  })
  return { ...message, content }
}

function pieceText(piece: Fields, shown: ReadonlySet<Fields>): string {
  if (piece['type'] === 'text') return textOf(piece, 'text')
  const mediaType = textOf(piece, 'mediaType')
  const data = dataOf(piece)
  if (data !== '' && isTextType(mediaType)) return Buffer.from(data, 'base64').toString('utf8')
  if (shown.has(piece)) return '[Here is a picture. It is shown to you in the message after the results.]'
  return hidden(mediaType)
}

const hidden = (mediaType: string) => `[Here is a file (${mediaType}) that cannot be shown to you.]`

function mentionedOnly(message: UserModelMessage): UserModelMessage {
  if (typeof message.content === 'string') return message
  const content = message.content.map(part =>
    part.type === 'text' ? part : ({ type: 'text', text: hidden(part.mediaType ?? 'image') } as const),
  )
  return { ...message, content }
}
