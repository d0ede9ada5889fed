import type { Chunk } from 'dragoman'

const shown = 120

/** The fields of chunks, most informative first. */
const telling =
  'delta inputTextDelta errorText toolName output data url title finishReason messageMetadata approvalId messageId id toolCallId'.split(
    ' ',
  )

/** The content of a chunk in a few words. */
export function sayChunk(chunk: Chunk): string {
  const fields = chunk as Readonly<Record<string, unknown>>
  const name = telling.find(each => fields[each] !== undefined)
  const gist = name === undefined ? '' : textOf(fields[name])
  return gist.length > shown ? `${gist.slice(0, shown)} …` : gist
}

/** Only as much of a long value is written as is shown. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, shorten).slice(0, shown + 1)

const shorten = (_: string, value: unknown) =>
  typeof value === 'string' && value.length > shown ? value.slice(0, shown + 1) : value
