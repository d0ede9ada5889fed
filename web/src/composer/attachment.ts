import type { PromptPart } from 'dragoman'
import { bytes } from '../ui/amounts.ts'

/** A file attached to a prompt. */
export interface Attachment {
  readonly id: string
  readonly name: string
  readonly mediaType: string
  /** The whole file as a data: address. */
  readonly url: string
  /** How large it was as a file. */
  readonly size: number
}

/** The limit of one request (`bodyBytes` of the server's limits), minus the overhead of a prompt. */
const mostBytes = (16 << 20) - 4096

/** Why so much cannot be sent in one prompt, in a sentence; null when it can. */
export function tooLarge(text: string, attachments: readonly Attachment[]): string | null {
  const size = new TextEncoder().encode(JSON.stringify(promptParts(text, attachments))).length
  if (size <= mostBytes) return null
  return `This prompt is too large. The limit is ${bytes(mostBytes)}, including files. Remove something, or put it in the working folder.`
}

/** Why a file cannot go along with others, in a sentence; null when it can. */
export function noRoomFor(
  { name, size }: { readonly name: string; readonly size: number },
  attachments: readonly Attachment[],
): string | null {
  const taken = attachments.reduce((sum, { url }) => sum + url.length, 0)
  // Three bytes become four characters.
  const left = Math.max(0, Math.floor(((mostBytes - taken) * 3) / 4) - 1024)
  if (size <= left) return null
  const room =
    attachments.length === 0
      ? `the limit is ${bytes(left)} in total`
      : `there is room for ${bytes(left)} more`
  return `“${name}” is ${bytes(size)}, and ${room}. Put it in the working folder instead.`
}

/** The input as parts of a prompt; none when it is empty. */
export function promptParts(text: string, attachments: readonly Attachment[]): readonly PromptPart[] {
  const words = text.trim() === '' ? [] : [{ type: 'text', text } as const]
  const files = attachments.map(
    ({ url, mediaType, name }) => ({ type: 'file', url, mediaType, filename: name }) as const,
  )
  return [...words, ...files]
}

/** The text of a prompt, without its files. */
export const textIn = (parts: readonly PromptPart[]): string =>
  parts.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n\n')

/** The files of a queued prompt that is being edited. */
export const attachmentsIn = (parts: readonly PromptPart[], newId: () => string): readonly Attachment[] =>
  parts.flatMap(part => {
    if (part.type !== 'file') return []
    const { url, mediaType, filename: name = 'file' } = part
    const start = url.indexOf(',') + 1
    return [{ id: newId(), name, mediaType, url, size: Math.floor(((url.length - start) * 3) / 4) }]
  })

/** Whether it can safely be shown as an image. */
export const isPicture = ({ mediaType, url }: Pick<Attachment, 'mediaType' | 'url'>): boolean =>
  /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/.test(mediaType) && /^(?:data:image\/|blob:)/.test(url)
