/** A file that an address holds itself. */
export interface DataUrl {
  /** Without its parameters; empty where the address names none. */
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** Whether a file of this type is text, which every model can read. */
export const isTextType = (mediaType: string): boolean =>
  /^text\/|[/+](json|xml|yaml|javascript|toml)(\s*;|$)/.test(mediaType)

const base64 = /^[A-Za-z0-9+/=_-]*$/

/** Reads `data:TYPE;parameters;base64,…` and `data:TYPE,…` with percent signs; null for any other address. */
export function parseDataUrl(url: string): DataUrl | null {
  const comma = url.indexOf(',')
  if (comma === -1 || !/^data:/i.test(url.slice(0, 5))) return null
  const [type = '', ...parameters] = url.slice(5, comma).split(';')
  const mediaType = type.trim().toLowerCase()
  const body = url.slice(comma + 1)
  if (parameters.at(-1)?.trim().toLowerCase() !== 'base64') return { mediaType, data: encode(bytesOf(body)) }
  const data = base64.test(body)
    ? body
    : bytesOf(body)
        .map(byte => String.fromCharCode(byte))
        .join('')
        .replaceAll(/\s/g, '')
  return base64.test(data) ? { mediaType, data } : null
}

/** The bytes of a percent-encoded text. */
function bytesOf(text: string): readonly number[] {
  const ascii = text.toWellFormed().replaceAll(/[^\0-\u007f]+/g, encodeURIComponent)
  const bytes: number[] = []
  for (const [found] of ascii.matchAll(/%[0-9a-f]{2}|[^]/gi))
    bytes.push(found.length === 3 ? Number.parseInt(found.slice(1), 16) : found.charCodeAt(0))
  return bytes
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function encode(bytes: readonly number[]): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two, three] = bytes.slice(at, at + 3)
    const whole = one * 65_536 + (two ?? 0) * 256 + (three ?? 0)
    const four = [18, 12, 6, 0].map(shift => digits.charAt(Math.floor(whole / 2 ** shift) % 64))
    text +=
      two === undefined
        ? `${four.slice(0, 2).join('')}==`
        : three === undefined
          ? `${four.slice(0, 3).join('')}=`
          : four.join('')
  }
  return text
}
