import type { Socket as Connection } from 'node:net'
import type { RawData, WebSocket } from 'ws'
import type { House } from '../house.ts'
import type { LiveStream } from '../streams/live-streams.ts'
import { closeCodes } from './close-codes.ts'

/** The way to the one at the other end of a WebSocket. */
export interface Socket {
  /** Sends frames. False when the reader is behind: then only what must be, until `drained`. */
  send(...frames: readonly string[]): boolean
  /** The same with a frame that is made already, for many sockets or for speed. */
  sendMade(frame: Buffer): boolean
  isBehind(): boolean
  /** While there is too much to do, no more frames are read. */
  busy(isBusy: boolean): void
}

/** What is done with a WebSocket. Nothing here may throw. */
export interface SocketUser {
  hear(frame: Uint8Array): void
  drained(): void
  /** It has ended, on either side. */
  gone(): void
  /** About how many bytes wait for the reader that are not yet on their way. */
  backlog(): Promise<number>
  /** The last frame when the server shuts down. */
  farewell(): string | null
}

/** A WebSocket, and the connection under it. */
export interface Upgraded {
  readonly ws: WebSocket
  readonly connection: Connection
}

/** A reader for whom much waits is let go after this share of the time that others are given. */
const impatience = 0.1

/** Why a socket is closed while the server goes on. */
const signedOut = 'Every browser was signed out. Sign in again, or connect again with the token.'

/** Puts a WebSocket to use: sends pings, drops clients that do not read, and ends with the server. */
export function openSocket(house: House, upgraded: Upgraded, use: (socket: Socket) => SocketUser): void {
  const { ws, connection } = upgraded
  const socket = new SocketToOne(house, ws, connection, use)
  sockets.set(ws, socket)
  ws.on('message', hear)
  ws.on('close', leave)
  ws.on('error', ignore)
  house.streams.enter(socket)
  if (house.draining.aborted) socket.drain()
}

/** Found by their WebSockets, so that one function can handle all of them. */
const sockets = new WeakMap<WebSocket, SocketToOne>()

function hear(this: WebSocket, frame: RawData, isBinary: boolean): void {
  sockets.get(this)?.hear(frame as Buffer, isBinary)
}

function leave(this: WebSocket): void {
  sockets.get(this)?.leave()
}

/** A frame that breaks the protocol closes the socket with a matching code. */
const ignore = () => {}

/** An object rather than functions, for there are thousands of them. */
class SocketToOne implements Socket, LiveStream {
  readonly kind = 'websocket'
  private readonly house: House
  private readonly ws: WebSocket
  private readonly connection: Connection
  private readonly user: SocketUser
  private behind = false
  private isBusy = false
  private isGone = false
  /** How much had been received when it was last asked whether it is there; -1 before. */
  private heard = -1
  private beats = 0

  constructor(house: House, ws: WebSocket, connection: Connection, use: (socket: Socket) => SocketUser) {
    this.house = house
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
    // Without compression nothing of the WebSocket's own is kept back, so this comes in its turn.
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

  hear(frame: Uint8Array, isBinary: boolean): void {
    if (this.isGone) return
    if (isBinary) this.close(closeCodes.notText, 'Send JSON in text frames.')
    else this.user.hear(frame)
  }

  leave(): void {
    if (this.isGone) return
    this.isGone = true
    this.house.streams.leave(this)
    this.user.gone()
  }

  beat(): void {
    const { pingMs, heartbeatMs } = this.house.options.limits
    this.beats += 1
    if (this.behind || this.beats % Math.max(1, Math.round(pingMs / heartbeatMs)) !== 0) return
    // An answer would be something; so is anything else.
    const { bytesRead } = this.connection
    if (bytesRead === this.heard) return this.ws.terminate()
    this.heard = bytesRead
    this.ws.ping()
  }

  stalled(stillMs: number): void {
    const { stallMs, dropBytes } = this.house.options.limits
    if (stillMs >= stallMs) return this.drop()
    if (stillMs < stallMs * impatience) return
    const count = (more: number) => {
      if (this.behind && this.waiting() + more > dropBytes) this.drop()
    }
    // What cannot be counted is given the whole time.
    this.user.backlog().then(count, ignore)
  }

  waiting(): number {
    return this.connection.writableLength
  }

  drain(): void {
    const last = this.user.farewell()
    if (last !== null) this.ws.send(last)
    const isEnding = this.house.draining.aborted
    this.close(closeCodes.goingAway, isEnding ? 'The server is shutting down. Reconnect soon.' : signedOut)
  }

  private isReading(): boolean {
    if (this.connection.writableLength <= this.house.options.limits.parkBytes) return true
    if (!this.behind) this.fallBehind()
    return false
  }

  private close(code: number, reason: string): void {
    this.leave()
    this.ws.close(code, reason)
  }

  private drop(): void {
    if (this.isGone) return
    this.house.metrics.dropped.add({ kind: this.kind })
    this.close(closeCodes.notReading, 'The client did not read. Reconnect from the last entry you received.')
  }

  private fallBehind(): void {
    this.behind = true
    this.connection.once('drain', () => this.catchUp())
    this.house.streams.park(this)
    this.listen()
  }

  private catchUp(): void {
    this.behind = false
    this.house.streams.resume(this)
    this.listen()
    if (!this.isGone) this.user.drained()
  }

  /** Replies to a client that does not read would only wait, too. */
  private listen(): void {
    if (this.behind || this.isBusy) this.ws.pause()
    else this.ws.resume()
  }
}
