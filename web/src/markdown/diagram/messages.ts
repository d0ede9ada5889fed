/** What the page asks of the frame that draws. */
export interface DrawRequest {
  readonly type: 'draw'
  readonly text: string
  readonly theme: 'light' | 'dark'
}

/** What the frame tells the page: that it listens, how high the drawing is, or why there is none. */
export type FrameMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'drawn'; readonly height: number }
  | { readonly type: 'failed'; readonly trouble: string }

const highest = 1_600

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (data: unknown): Fields | null =>
  typeof data === 'object' && data !== null ? (data as Fields) : null

/** Reads what came from the frame; null for everything else. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  const { type, height, trouble } = fieldsOf(data) ?? {}
  if (type === 'ready') return { type }
  if (type === 'drawn' && typeof height === 'number' && height >= 0)
    return { type, height: Math.min(Math.ceil(height), highest) }
  if (type === 'failed' && typeof trouble === 'string') return { type, trouble: trouble.slice(0, 500) }
  return null
}

/** Reads what came from the page; null for everything else. */
export function readDrawRequest(data: unknown): DrawRequest | null {
  const { type, text, theme } = fieldsOf(data) ?? {}
  if (type !== 'draw' || typeof text !== 'string' || (theme !== 'light' && theme !== 'dark')) return null
  return { type, text, theme }
}
