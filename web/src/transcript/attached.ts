import { isInlineImage } from '../safety/inline-image.ts'

/** A file or an image in a message or a prompt. */
export interface Attached {
  readonly url: string
  readonly mediaType: string
  readonly filename?: string
}

/** Whether a file is an image whose data is already here, so that showing it makes no request. */
export const isOwnImage = ({ url, mediaType }: Attached): boolean =>
  isInlineImage(url) || (url.startsWith('blob:') && /^image\/(?:png|jpeg|gif|webp|avif)$/i.test(mediaType))

/** What a file is called: its name, or else where it is or what it is. */
export function nameOf({ filename, url, mediaType }: Attached): string {
  if (filename !== undefined && filename !== '') return filename
  if (/^(data|blob):/i.test(url)) return mediaType.startsWith('image/') ? 'Image' : 'File'
  return hostOf(url) ?? url
}

/** The host of an address; null where it has none. */
export function hostOf(url: string): string | null {
  const { host } = URL.parse(url) ?? { host: '' }
  return host === '' ? null : host
}
