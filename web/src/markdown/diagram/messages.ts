/** A request from the page to the frame that draws. */
export interface DrawRequest {
  readonly type: 'draw'
  readonly text: string
  readonly theme: 'light' | 'dark'
}

/** A drawing as an image, which can't run scripts or link anywhere. */
export interface Picture {
  readonly svg: string
  readonly width: number
  readonly height: number
  /** The diagram's text. */
  readonly words: string
}

/** Messages from the frame to the page: ready for code, ready to draw, the height, the picture, or an error. */
export type FrameMessage =
  | { readonly type: 'open' }
  | { readonly type: 'ready' }
  | { readonly type: 'drawn'; readonly height: number }
  | ({ readonly type: 'picture'; readonly theme: 'light' | 'dark' } & Picture)
  | { readonly type: 'failed'; readonly trouble: string }

const highest = 1_600
const largest = 1_000_000

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (data: unknown): Fields | null =>
  typeof data === 'object' && data !== null ? (data as Fields) : null

/** Parses a message from the frame; null if it is not valid. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  const { type, height, trouble } = fieldsOf(data) ?? {}
  if (type === 'open' || type === 'ready') return { type }
  if (type === 'drawn' && typeof height === 'number' && height >= 0)
    return { type, height: Math.min(Math.ceil(height), highest) }
  if (type === 'picture') return readPicture(data)
  if (type === 'failed' && typeof trouble === 'string') return { type, trouble: trouble.slice(0, 500) }
  return null
}

function readPicture(data: unknown): FrameMessage | null {
  const { svg, width, height, words, theme } = fieldsOf(data) ?? {}
  if (typeof svg !== 'string' || svg.length > largest || typeof words !== 'string') return null
  if (!isLength(width) || !isLength(height) || (theme !== 'light' && theme !== 'dark')) return null
  return { type: 'picture', theme, svg, width, height, words: words.slice(0, 1_000) }
}

const isLength = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 1e5

/** Parses a message from the page; null if it is not valid. */
export function readDrawRequest(data: unknown): DrawRequest | null {
  const { type, text, theme } = fieldsOf(data) ?? {}
  if (type !== 'draw' || typeof text !== 'string' || (theme !== 'light' && theme !== 'dark')) return null
  return { type, text, theme }
}
