import { readCommand } from '../../protocol/command.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { checkInput } from '../../protocol/check-input.ts'
import type { ServerParts } from '../server-parts.ts'
import { problemOf } from '../problem.ts'
import { parseJson } from '../read-json.ts'
import { listenToSessions, type SessionsListener } from '../streams/sessions-channel.ts'
import { Follows } from './follows.ts'
import { frameSchema, type Frame } from './frames.ts'
import { openSocket, type Socket, type SocketUser, type Upgraded } from './open-socket.ts'

const mostCommands = 64

/** Follows sessions and takes commands over a WebSocket. */
export function openSessionSocket(server: ServerParts, upgraded: Upgraded): void {
  openSocket(server, upgraded, socket => new SessionSocket(server, socket))
}

/** A class instead of closures, because there are thousands of them. */
class SessionSocket implements SocketUser {
  private readonly server: ServerParts
  private readonly socket: Socket
  private readonly follows: Follows
  /** Null while the client does not follow all sessions. */
  private sessions: SessionsListener | null = null
  /** How many commands are running. */
  private commands = 0

  constructor(server: ServerParts, socket: Socket) {
    this.server = server
    this.socket = socket
    this.follows = new Follows(server, socket)
  }

  receive(bytes: Uint8Array): void {
    try {
      const value = parseJson(bytes, this.server.options.limits)
      this.act(checkInput(frameSchema, value, { whole: 'The frame', piece: 'The field' }))
    } catch (error) {
      this.tellError(error)
    }
  }

  drained(): void {
    this.sessions?.drained()
    this.follows.drained()
  }

  gone(): void {
    this.unfollowSessions()
    this.follows.stop()
  }

  backlog(): Promise<number> {
    return this.follows.backlog()
  }

  farewell(): string {
    return '{"type":"draining"}'
  }

  private act(frame: Frame): void {
    switch (frame.type) {
      case 'follow':
        return this.follows.follow(frame.session as SessionId, frame.after ?? 0)
      case 'unfollow':
        return this.follows.unfollow(frame.session as SessionId)
      case 'follow-sessions':
        return this.followSessions()
      case 'unfollow-sessions':
        return this.unfollowSessions()
      case 'command':
        return void this.execute(frame.id, frame.command)
      case 'ping':
        return void this.socket.send('{"type":"pong"}')
    }
  }

  private followSessions(): void {
    this.unfollowSessions()
    const send = (json: string) => this.socket.send(`{"type":"session","session":${json}}`)
    this.sessions = listenToSessions(this.server, send)
    this.sessions.start(error => this.tellError(error))
  }

  private unfollowSessions(): void {
    this.sessions?.[Symbol.dispose]()
    this.sessions = null
  }

  /** Commands run concurrently, up to a limit for each client. */
  private async execute(id: string | number, wish: unknown): Promise<void> {
    this.commands += 1
    if (this.commands === mostCommands) this.socket.busy(true)
    try {
      const ok = await this.server.sessions.execute(readCommand(wish))
      this.socket.send(JSON.stringify({ type: 'reply', id, ok }))
    } catch (error) {
      this.socket.send(JSON.stringify({ type: 'reply', id, error: errorFrame(this.server, error) }))
    } finally {
      this.commands -= 1
      if (this.commands === mostCommands - 1) this.socket.busy(false)
    }
  }

  private tellError(error: unknown): void {
    this.socket.send(JSON.stringify({ type: 'error', error: errorFrame(this.server, error) }))
  }
}

/** An error in the format of the socket. */
function errorFrame({ log }: ServerParts, error: unknown) {
  const { code, detail, status, title: _, type: __, ...details } = problemOf(error)
  if (status >= 500) log('error', 'Handling a frame failed.', { error })
  return { code, message: detail, ...details }
}
