import { request, type IncomingMessage } from 'node:http'

/** One frame of an event stream. */
export interface Frame {
  readonly id: string | null
  readonly event: string | null
  readonly data: string
}

/** Reads a session's event stream as bytes, frame by frame, until `isEnough` or its end. */
export function readFrames(
  url: string,
  headers: Readonly<Record<string, string>>,
  isEnough: (frame: Frame) => boolean,
): Promise<readonly Frame[]> {
  return new Promise((resolve, reject) => {
    const frames: Frame[] = []
    let rest = ''
    const outgoing = request(url, { headers: { ...headers, accept: 'text/event-stream' } }, answer => {
      if (answer.statusCode !== 200) reject(new Error(`${url} gave ${answer.statusCode}`))
      const take = (text: string) => {
        const parts = (rest + text).split('\n\n')
        rest = parts.pop() ?? ''
        for (const part of parts) {
          const frame = frameOf(part)
          if (frame === null) continue
          frames.push(frame)
          if (isEnough(frame)) return finish(answer)
        }
      }
      answer.setEncoding('utf8').on('data', take)
      answer.on('end', () => resolve(frames)).on('error', () => resolve(frames))
    })
    const finish = (answer: IncomingMessage) => {
      answer.destroy()
      resolve(frames)
    }
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** A comment is not a frame. */
function frameOf(text: string): Frame | null {
  const field = (name: string) =>
    text
      .split('\n')
      .filter(line => line.startsWith(`${name}: `))
      .map(line => line.slice(name.length + 2))
      .join('\n') || null
  const data = field('data')
  return data === null ? null : { id: field('id'), event: field('event'), data }
}
