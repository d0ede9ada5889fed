import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Attendant, Sink } from './sink.ts'

/** How a stream is written to a response. */
export interface NodeSinkOptions {
  readonly headers: Readonly<Record<string, string>>
  /** Whether closing the connection may mark the end: then chunked encoding is not needed. */
  readonly endsByClosing: boolean
  /** More than this waits: the reader is behind. */
  readonly parkBytes: number
}

/** Begins a stream as the response to a request of `node:http`, without anything in between. */
export function openNodeSink(response: ServerResponse, options: NodeSinkOptions): Sink {
  // Without chunked encoding a frame costs a third less, but an end looks like a broken connection.
  if (options.endsByClosing) response.removeHeader('transfer-encoding')
  response.writeHead(200, options.headers)
  response.flushHeaders()
  // What is not wrapped in chunks needs no help of the response, and is written at once.
  const way = (options.endsByClosing ? response.socket : null) ?? response
  return new NodeSink(response, way, options.parkBytes)
}

/** An object rather than functions, for there are thousands of them. */
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
