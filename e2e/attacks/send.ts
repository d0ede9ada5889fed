import { request } from 'node:http'
import { connect } from 'node:net'

/** A request to a server: nothing is added, so that anything can be left out or wrong. */
export interface Shot {
  readonly method: string
  /** As it goes over the wire, unchecked. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Sends the body in pieces without saying how long it is. */
  readonly chunked?: boolean
}

/** What came back; status 0 when the connection was cut without a word. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

const patience = 10_000

/** Sends one request and reads the answer; of an answer that streams on, only its beginning. */
export function send(port: number, shot: Shot): Promise<Answer> {
  const { method, path, headers = {}, body, chunked = false } = shot
  const length = body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise(resolve => {
    const cut = () => resolve({ status: 0, headers: {}, body: '' })
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: '/',
        setHost: false,
        agent: false,
        headers: { ...length, ...headers },
      },
      answer => {
        let text = ''
        const done = () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text })
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
          if (answer.headers['content-type']?.startsWith('text/event-stream') === true) {
            done()
            outgoing.destroy()
          }
        })
        answer.on('end', done).on('error', done)
      },
    )
    // The library refuses to write many of the paths that we mean to try.
    Object.defineProperty(outgoing, 'path', { value: path })
    outgoing.on('error', cut)
    outgoing.setTimeout(patience, () => outgoing.destroy())
    if (chunked && body !== undefined)
      for (let at = 0; at < body.length; at += 1 << 16) outgoing.write(body.slice(at, at + (1 << 16)))
    else if (body !== undefined) outgoing.write(body)
    outgoing.end()
  })
}

/** Sends bytes as they are, and gives what came back before the connection ended, or within a while. */
export function sendBytes(port: number, bytes: string | Buffer, milliseconds = 3000): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const done = () => {
      socket.destroy()
      resolve(text)
    }
    socket.on('data', piece => (text += piece.toString('latin1')))
    socket.on('close', done).on('error', done)
    setTimeout(done, milliseconds)
    socket.write(bytes)
  })
}
