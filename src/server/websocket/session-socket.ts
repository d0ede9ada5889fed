import { readCommand } from '../../protocol/command.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { checkInput } from '../../protocol/check-input.ts'
import type { House } from '../house.ts'
import { problemOf } from '../problem.ts'
import { parseJson } from '../read-json.ts'
import { listenToSessions, type SessionsListener } from '../streams/sessions-channel.ts'
import { Follows } from './follows.ts'
import { frameSchema, type Frame } from './frames.ts'
import { openSocket, type Socket, type SocketUser, type Upgraded } from './open-socket.ts'

const mostCommands = 64

/** Follows sessions and takes commands over a WebSocket. */
export function openSessionSocket(house: House, upgraded: Upgraded): void {
  openSocket(house, upgraded, socket => new SessionSocket(house, socket))
}

/** An object rather than functions, for there are thousands of them. */
class SessionSocket implements SocketUser {
  private readonly house: House
  private readonly socket: Socket
  private readonly follows: Follows
  /** Null while the client does not listen to all sessions. */
  private sessions: SessionsListener | null = null
  /** How many commands are being done. */
  private commands = 0

  constructor(house: House, socket: Socket) {
    this.house = house
    this.socket = socket
    this.follows = new Follows(house, socket)
  }

  hear(bytes: Uint8Array): void {
    try {
      const value = parseJson(bytes, this.house.options.limits)
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
    this.sessions = listenToSessions(this.house, send)
    this.sessions.start(error => this.tellError(error))
  }

  private unfollowSessions(): void {
    this.sessions?.[Symbol.dispose]()
    this.sessions = null
  }

  /** Commands are done side by side; of those that a client sends without waiting, only a limited number runs at a time. */
  private async execute(id: string | number, wish: unknown): Promise<void> {
    this.commands += 1
    if (this.commands === mostCommands) this.socket.busy(true)
    try {
      const ok = await this.house.sessions.execute(readCommand(wish))
      this.socket.send(JSON.stringify({ type: 'reply', id, ok }))
    } catch (error) {
      this.socket.send(JSON.stringify({ type: 'reply', id, error: tell(this.house, error) }))
    } finally {
      this.commands -= 1
      if (this.commands === mostCommands - 1) this.socket.busy(false)
    }
  }

  private tellError(error: unknown): void {
    this.socket.send(JSON.stringify({ type: 'error', error: tell(this.house, error) }))
  }
}

/** An error as it goes over a socket. */
function tell({ log }: House, error: unknown) {
  const { code, detail, status, title: _, type: __, ...details } = problemOf(error)
  if (status >= 500) log('error', 'Handling a frame failed.', { error })
  return { code, message: detail, ...details }
}
