import type { Json } from '../protocol/json.ts'
import type { ContentPart, Part } from './formats/conversation.ts'

const perCharacter = 0.298
const perCall = 40
const perResult = 30
/** What a picture or document of unknown size is taken for. */
const perFile = 1600

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
      return perFile
    case 'unknown':
      return part.native === undefined ? 0 : tokensOfText(lengthSource(part.native.json).length)
  }
}

function tokensOfContent(part: ContentPart): number {
  return part.kind === 'json' ? tokensOfText(lengthSource(part.value).length) : tokensOf(part)
}

const lengthSource = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
