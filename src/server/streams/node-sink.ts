import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Attendant, Sink } from './sink.ts'

/** How a stream is written to a response. */
export interface NodeSinkOptions {
  readonly headers: Readonly<Record<string, string>>
  /** Whether closing the connection may mark the end: then chunked encoding is not needed. */
  readonly endsByClosing: boolean
  /** With more unread bytes than this, the client is behind. */
  readonly parkBytes: number
}

/** Starts a stream directly on a `node:http` response. */
export function openNodeSink(response: ServerResponse, options: NodeSinkOptions): Sink {
  // Without chunked encoding a frame costs a third less, but an end looks like a broken connection.
  if (options.endsByClosing) response.removeHeader('transfer-encoding')
  response.writeHead(200, options.headers)
  response.flushHeaders()
  // Without chunked encoding, frames can be written directly to the socket.
  const way = (options.endsByClosing ? response.socket : null) ?? response
  return new NodeSink(response, way, options.parkBytes)
}

/** A class instead of closures, because there are thousands of them. */
class NodeSink implements Sink {
  private readonly response: ServerResponse
  private readonly way: ServerResponse | Socket
  private readonly parkBytes: number
  private attendant: Attendant | null = null
  private isParked = false

  constructor(response: ServerResponse, way: ServerResponse | Socket, parkBytes: number) {
    this.response = response
    this.way = way
    this.parkBytes = parkBytes
    response.on('close', () => this.attendant?.gone())
  }

  write(text: string): boolean {
    const { response, way } = this
    if (response.destroyed || response.writableEnded || way.destroyed) return false
    if (way.write(text) || way.writableLength <= this.parkBytes) return true
    if (!this.isParked) way.once('drain', () => this.drained())
    this.isParked = true
    return false
  }

  end(): void {
    if (!this.response.destroyed) this.response.end()
  }

  cut(): void {
    this.response.destroy()
  }

  waiting(): number {
    return this.way.writableLength
  }

  attend(attendant: Attendant): void {
    this.attendant = attendant
    if (this.response.destroyed) attendant.gone()
  }

  private drained(): void {
    this.isParked = false
    this.attendant?.drained()
  }
}
