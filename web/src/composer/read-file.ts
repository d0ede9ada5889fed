import type { Attachment } from './attachment.ts'

/** Reads an attached file. Fails with a message when it cannot be read, such as a folder. */
export async function readFile(file: File, newId: () => string): Promise<Attachment> {
  const name = file.name === '' ? 'pasted' : file.name
  try {
    const content = new Uint8Array(await file.arrayBuffer())
    const mediaType = mediaTypeOf(file.type, content)
    const url = await addressOf(new Blob([content], { type: mediaType }))
    return { id: newId(), name, mediaType, url, size: content.length }
  } catch (cause) {
    throw new Error(`Couldn’t read “${name}”. You can’t attach a folder; attach its files instead.`, {
      cause,
    })
  }
}

function addressOf(content: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(reader.result as string))
  reader.addEventListener('error', () => reject(reader.error as Error))
  reader.readAsDataURL(content)
  return promise
}

/** The files in a paste or drop. If there is text too, as from a spreadsheet, the text wins. */
export function filesIn(
  given: DataTransfer | null,
  { wordsFirst }: { readonly wordsFirst: boolean },
): readonly File[] {
  if (given === null || (wordsFirst && given.types.includes('text/plain'))) return []
  return [...given.files]
}

/** Media types that browsers detect correctly and agents accept unchanged. */
const trusted = /^(?:image\/(?!svg)|audio\/|video\/(?!mp2t)|application\/pdf$|text\/(?!vnd\.|x-))/

/**
 * The media type of a file as agents expect it. Browsers report TypeScript as video and do not know most
 * languages. Readable content is text, which every agent accepts.
 */
export function mediaTypeOf(reported: string, content: Uint8Array): string {
  const type = reported.split(';')[0]?.trim().toLowerCase() ?? ''
  if (trusted.test(type)) return type
  if (isText(content)) return 'text/plain'
  return type === '' ? 'application/octet-stream' : type
}

/** Whether the content is valid UTF-8 without control characters. */
function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return true
  } catch {
    // It throws for bytes that are not text.
    return false
  }
}
