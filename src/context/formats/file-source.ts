import { parseDataUrl } from '../../protocol/data-url.ts'
import type { FileSource } from './conversation.ts'

/** A file's media type and source from an address, which may hold the file itself. */
export function fromAddress(
  address: string,
  mediaType: string,
): { readonly mediaType: string; readonly source: FileSource } {
  const found = parseDataUrl(address)
  return found === null
    ? { mediaType, source: { url: address } }
    : { mediaType: found.mediaType || mediaType, source: { data: found.data } }
}

/** A file as one address; undefined when it has none. */
export function addressOf(source: FileSource, mediaType: string): string | undefined {
  if ('url' in source) return source.url
  return 'data' in source ? `data:${mediaType};base64,${source.data}` : undefined
}

/** Pictures that every provider accepts. */
export const images = /^image\/(jpeg|png|gif|webp)$/

/** Addresses that only work on the machine where they were written. */
export const isLocal = /^(data|blob|file):/i

/** Whether a provider can fetch an address. */
export const isOnline = (address: string): boolean => /^https?:/i.test(address)

/** Whether an address is one of those that Anthropic fetches from. */
export const isSecure = (address: string): boolean => /^https:/i.test(address)

/** Whether a media type is known well enough for data to be sent with it. */
export const isExact = (mediaType: string): boolean => /^[^/*]+\/[^/*]+$/.test(mediaType)
