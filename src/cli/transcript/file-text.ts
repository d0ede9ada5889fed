import { bytesText } from '../terminal/amounts.ts'
import { inertLine } from '../terminal/inert.ts'

/** A file in a message as text: `[image image/png 1.2 kB]`. */
export function fileText({ url, mediaType }: { readonly url: string; readonly mediaType: string }): string {
  const kind = mediaType.startsWith('image/') ? 'image' : 'file'
  const what = url.startsWith('data:') ? bytesText(dataBytes(url)) : url.slice(0, 300)
  return `[${kind} ${inertLine(mediaType)} ${inertLine(what)}]`
}

/** The number of bytes in a data URL, without decoding it. */
function dataBytes(url: string): number {
  const comma = url.indexOf(',')
  if (!/;base64$/i.test(url.slice(0, comma))) return Buffer.byteLength(url.slice(comma + 1))
  const padding = url.endsWith('==') ? 2 : Number(url.endsWith('='))
  return Math.max(0, Math.floor(((url.length - comma - 1) * 3) / 4) - padding)
}
