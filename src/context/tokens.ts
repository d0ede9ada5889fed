import { isTextType } from '../protocol/data-url.ts'
import type { Json } from '../protocol/json.ts'
import type { ContentPart, FilePart, Part } from './formats/conversation.ts'

const perCharacter = 0.298
const perCall = 40
const perResult = 30
/** The tokens of a picture, or of a file of unknown size. */
const perFile = 1600
/** A page of a document has about 50 kB and 2000 tokens; none takes more than a window. */
const perDocumentByte = 0.04
const largestDocument = 100_000

/** About how many tokens a text has: measured on the usage that real sessions recorded. */
export const tokensOfText = (characters: number): number => Math.round(characters * perCharacter)

/** About how many tokens a part has. */
export function tokensOf(part: Part): number {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return tokensOfText(part.text.length)
    case 'call':
      return tokensOfText((part.inputText ?? lengthSource(part.input)).length) + perCall
    case 'result':
      return part.content.reduce((sum, each) => sum + tokensOfContent(each), perResult)
    case 'file':
      return tokensOfFile(part)
    case 'unknown':
      return part.native === undefined ? 0 : tokensOfText(lengthSource(part.native.json).length)
  }
}

function tokensOfFile({ mediaType, source }: FilePart): number {
  if ('text' in source) return tokensOfText(source.text.length)
  if (!('data' in source) || mediaType.startsWith('image/')) return perFile
  const bytes = source.data.length * 0.75
  if (isTextType(mediaType)) return tokensOfText(bytes)
  return Math.round(Math.min(largestDocument, Math.max(perFile, bytes * perDocumentByte)))
}

function tokensOfContent(part: ContentPart): number {
  return part.kind === 'json' ? tokensOfText(lengthSource(part.value).length) : tokensOf(part)
}

const lengthSource = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
