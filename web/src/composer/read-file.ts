import type { Attachment } from './attachment.ts'
import { mediaTypeOf } from './media-type.ts'

/** Reads an attached file. Fails with a sentence when it can't be read, like a folder. */
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
