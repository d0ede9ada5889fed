import type { Socket as Connection } from 'node:net'
import type { RawData, WebSocket } from 'ws'
import type { ServerParts } from '../server-parts.ts'
import type { LiveStream } from '../streams/live-streams.ts'

/** Sends frames to the client of a WebSocket. */
export interface Socket {
  /** Sends frames. Returns false if the client is behind: then send only what is necessary until `drained`. */
  send(...frames: readonly string[]): boolean
  /** The same with an encoded frame, which many sockets can share. */
  sendMade(frame: Buffer): boolean
  isBehind(): boolean
  /** While busy, no more frames are read. */
  busy(isBusy: boolean): void
}

/** Handles the events of a WebSocket. Nothing here may throw. */
export interface SocketUser {
  receive(frame: Uint8Array): void
  drained(): void
  /** It was closed, by either side. */
  gone(): void
  /** About how many bytes wait for the client that were not sent yet. */
  backlog(): Promise<number>
  /** The last frame when the server shuts down. */
  farewell(): string | null
}

/** A WebSocket, and the connection under it. */
export interface Upgraded {
  readonly ws: WebSocket
  readonly connection: Connection
}

/** A client with much unread data is disconnected after this share of the usual time. */
const impatience = 0.1

/** Why a socket is closed while the server keeps running. */
const signedOut = 'Every browser was signed out. Sign in again, or connect again with the token.'

/** Opens a WebSocket: sends pings, disconnects clients that do not read, and closes with the server. */
export function openSocket(
  server: ServerParts,
  upgraded: Upgraded,
  use: (socket: Socket) => SocketUser,
): void {
  const { ws, connection } = upgraded
  const socket = new SocketToOne(server, ws, connection, use)
  sockets.set(ws, socket)
  ws.on('message', receive)
  ws.on('close', leave)
  ws.on('error', ignore)
  server.streams.enter(socket)
  if (server.draining.aborted) socket.drain()
}

/** By WebSocket, so that all share the same listeners. */
const sockets = new WeakMap<WebSocket, SocketToOne>()

function receive(this: WebSocket, frame: RawData, isBinary: boolean): void {
  sockets.get(this)?.receive(frame as Buffer, isBinary)
}

function leave(this: WebSocket): void {
  sockets.get(this)?.leave()
}

/** A frame that breaks the protocol closes the socket with a matching code. */
const ignore = () => {}

/** A class instead of closures, because there are thousands of them. */
class SocketToOne implements Socket, LiveStream {
  readonly kind = 'websocket'
  private readonly server: ServerParts
  private readonly ws: WebSocket
  private readonly connection: Connection
  private readonly user: SocketUser
  private behind = false
  private isBusy = false
  private isGone = false
  /** How many bytes had been received at the last ping; -1 before the first. */
  private bytesAtPing = -1
  private beats = 0

  constructor(
    server: ServerParts,
    ws: WebSocket,
    connection: Connection,
    use: (socket: Socket) => SocketUser,
  ) {
    this.server = server
    this.ws = ws
    this.connection = connection
    this.user = use(this)
  }

  send(...frames: readonly string[]): boolean {
    const { ws, connection } = this
    if (this.isGone) return false
    if (frames.length > 1) connection.cork()
    for (const frame of frames) ws.send(frame)
    if (frames.length > 1) connection.uncork()
    return this.isReading()
  }

  sendMade(frame: Buffer): boolean {
    if (this.isGone) return false
    // Without compression, ws does not buffer frames, so the order is kept.
    this.connection.write(frame)
    return this.isReading()
  }

  isBehind(): boolean {
    return this.behind
  }

  busy(isBusy: boolean): void {
    this.isBusy = isBusy
    this.listen()
  }

  receive(frame: Uint8Array, isBinary: boolean): void {
    if (this.isGone) return
    if (isBinary) this.close(closeCodes.notText, 'Send JSON in text frames.')
    else this.user.receive(frame)
  }

  leave(): void {
    if (this.isGone) return
    this.isGone = true
    this.server.streams.leave(this)
    this.user.gone()
  }

  beat(): void {
    const { pingMs, heartbeatMs } = this.server.options.limits
    this.beats += 1
    if (this.behind || this.beats % Math.max(1, Math.round(pingMs / heartbeatMs)) !== 0) return
    // Any received byte proves that the client is connected.
    const { bytesRead } = this.connection
    if (bytesRead === this.bytesAtPing) return this.ws.terminate()
    this.bytesAtPing = bytesRead
    this.ws.ping()
  }

  stalled(stillMs: number): void {
    const { stallMs, dropBytes } = this.server.options.limits
    if (stillMs >= stallMs) return this.drop()
    if (stillMs < stallMs * impatience) return
    const count = (more: number) => {
      if (this.behind && this.waiting() + more > dropBytes) this.drop()
    }
    // If counting fails, the client gets the whole time.
    this.user.backlog().then(count, ignore)
  }

  waiting(): number {
    return this.connection.writableLength
  }

  drain(): void {
    const last = this.user.farewell()
    if (last !== null) this.ws.send(last)
    const isEnding = this.server.draining.aborted
    this.close(closeCodes.goingAway, isEnding ? 'The server is shutting down. Reconnect soon.' : signedOut)
  }

  private isReading(): boolean {
    if (this.connection.writableLength <= this.server.options.limits.parkBytes) return true
    if (!this.behind) this.fallBehind()
    return false
  }

  private close(code: number, reason: string): void {
    this.leave()
    this.ws.close(code, reason)
  }

  private drop(): void {
    if (this.isGone) return
    this.server.metrics.dropped.add({ kind: this.kind })
    this.close(closeCodes.notReading, 'The client did not read. Reconnect from the last entry you received.')
  }

  private fallBehind(): void {
    this.behind = true
    this.connection.once('drain', () => this.catchUp())
    this.server.streams.park(this)
    this.listen()
  }

  private catchUp(): void {
    this.behind = false
    this.server.streams.resume(this)
    this.listen()
    if (!this.isGone) this.user.drained()
  }

  /** Stops reading from a client that does not read: its replies would only pile up. */
  private listen(): void {
    if (this.behind || this.isBusy) this.ws.pause()
    else this.ws.resume()
  }
}

const finalText = 0x81

/** Encodes a text as one unmasked WebSocket frame. */
export function textFrame(text: string): Buffer {
  const size = Buffer.byteLength(text)
  const head = headSize(size)
  const frame = Buffer.allocUnsafe(head + size)
  frame[0] = finalText
  if (head === 2) frame[1] = size
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(size, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(size), 2)
  }
  frame.write(text, head)
  return frame
}

function headSize(size: number): 2 | 4 | 10 {
  if (size < 126) return 2
  return size < 1 << 16 ? 4 : 10
}

/** The codes with which the server closes a WebSocket. Codes from 4000 on are our own. */
const closeCodes = {
  /** The server stops; reconnect later. */
  goingAway: 1001,
  /** A frame that is not text arrived. */
  notText: 1003,
  /** The client did not read; reconnect with the number of the last entry received. */
  notReading: 4008,
} as const
