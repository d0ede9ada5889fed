import type { Wrap } from './shared-frames.ts'

/** Entries as server-sent events: the number of each is its id. */
export const eventFrames: Wrap = (texts, after) => {
  let frames = ''
  let seq = after
  for (const text of texts) frames += `id: ${++seq}\ndata: ${text}\n\n`
  return frames
}

/** Entries as one frame of a WebSocket. Ids of sessions hold nothing that JSON would escape. */
export const socketFrame: Wrap = (texts, _, session) =>
  `{"type":"entries","session":"${session}","entries":[${texts.join(',')}]}`
